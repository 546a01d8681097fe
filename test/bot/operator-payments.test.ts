import { expect, test } from 'vitest'
import { AGENT, ANN, BEN } from '../support/product.ts'
import { timesTold } from '../support/notices.ts'
import { unitsOf } from '../support/top-ups.ts'
import { askedIn, startUsdtProduct } from '../support/usdt-product.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const SETTLED = 66_000

test('payments that fit no top-up: the operator hears of each, assigns it to one, ignores it, or notes a refund; the user and the agent are told', async () => {
  const { product, tron, pass, clock } = await startUsdtProduct({ operatorChats: [OPS.id] })
  const [ops, ann] = [product.phone(OPS), await product.memberPhone(ANN)]
  const boss = await product.memberPhone(BEN, AGENT)
  ops.send('/payments')
  await ops.waitFor(/There are none/)
  await ann.press('💳 Top up')
  await ann.press('20 USDT')
  const asked = askedIn(await ann.read(/Waiting for your payment/))
  const { order_no: topUp } = (await product.until('SELECT order_no FROM top_ups')) as { order_no: string }

  await pass(10_000)
  // An exchange kept its fee.
  tron.chain.transfer({ units: unitsOf(asked) - 1_000_000n })
  await pass(SETTLED)
  const alert = await ops.waitFor(/arrived and matches no top-up/)
  expect(alert.text).toContain('No open top-up asks for this amount.')
  expect(alert.text).toContain(`${topUp}: customer, ${asked} USDT`)
  await ops.press('✅ Assign to a top-up')
  await ops.waitFor(/Which top-up does it pay\?/)
  await ops.press(`⏳ customer · ${asked} USDT`)
  await ops.waitFor(/Assign the payment\?/)
  await ops.press('Cancel')
  await ops.press('✅ Assign to a top-up')
  await ops.waitFor(/Which top-up does it pay\?/)
  ops.send('U-what')
  await ops.waitFor(/no top-up with this number/)
  ops.send(topUp.toLowerCase())
  const sum = await ops.read(/Assign the payment\?/)
  expect(sum).toContain('User: customer')
  expect(sum).toContain(`Asked for: ${asked} USDT`)
  await ops.press(/^✅ Credit 19\.00\d+ USD$/)
  await ops.waitFor(/credited to customer/)
  const paid = await ann.waitFor(/Your top-up has arrived/)
  expect(paid.text).toContain(`Received: ${Number(asked) - 1} USDT`)
  expect(paid.text).toContain('matched it to this top-up by hand')
  await product.until(`SELECT 1 FROM jobs WHERE kind = 'deliver_digest'`)
  clock.advance(60_000)
  product.core.jobs.queue.wake()
  await boss.waitFor(/下级用户充值已到账[^]*customer/)
  // The alert is an old one now.
  await product.telegram.press(OPS.id, alert.messageId, alert.keyboard[0]?.[0]?.value ?? '')
  await ops.waitFor(/There are none/)

  const txid = tron.chain.transfer({ units: 5_000_000n })
  await pass(SETTLED)
  await ops.waitFor(/5.00 USDT arrived/)
  ops.send('/payments')
  await ops.press(/^5.00 USDT/)
  await ops.press('Ignore')
  await ops.waitFor(/Nobody is credited/)
  await ops.press('Ignore this payment')
  const ignored = await ops.waitFor(/is ignored/)

  // It was a mistake: it comes back at once, and later where a search finds it; what is decided otherwise does not.
  await ops.press('↩️ Put it back')
  await ops.waitFor(/5.00 USDT arrived and matches no top-up/)
  await ops.press('Ignore')
  await ops.press('Ignore this payment')
  await ops.waitFor(/is ignored/)
  ops.send(txid)
  await ops.press('↩️ Put it back')
  await ops.waitFor(/5.00 USDT arrived and matches no top-up/)
  await ops.press('Refunded manually')
  ops.send('sent back, too')
  await ops.waitFor(/refund is noted/)
  const undo = ignored.keyboard.flat().find(({ text }) => text === '↩️ Put it back')
  const late = await product.telegram.pressStale(OPS.id, ignored.messageId, undo?.value ?? '')
  expect(late.text).toBe('This payment has already been decided.')
  const reopened = await product.core.operator.trail.list({ action: 'payment.reopen' })
  expect(reopened.items).toMatchObject([{ subject: `TRC20:${txid}:0` }, { subject: `TRC20:${txid}:0` }])

  tron.chain.transfer({ units: 7_000_000n })
  await pass(SETTLED)
  await ops.waitFor(/7.00 USDT arrived/)
  await ops.press('Refunded manually')
  await ops.waitFor(/Send the money back from your wallet first/)
  ops.send('sent back with 4f2a')
  await ops.waitFor(/refund is noted/)
  await product.until(
    `SELECT 1 FROM usdt_transfers WHERE state = 'refunded' AND note = 'sent back with 4f2a'`,
  )
  expect(timesTold(product, ann, /has arrived/)).toBe(1)

  ops.send('/payments')
  await ops.press('💳 All top-ups')
  await ops.waitFor('Top-ups of everybody: 1')
  await ops.press('⏳')
  await ops.waitFor('Top-ups of everybody: 0')
  await ops.press('✅')
  await ops.press(/^✅ .* USDT customer$/)
  await ops.waitFor(/Top-up U\w+ of customer/)
})

test('behind hundreds of payments that fit no top-up, each is told of and can be settled', async () => {
  const { product, tron, pass } = await startUsdtProduct({ operatorChats: [OPS.id] })
  const ops = product.phone(OPS)
  ops.send('/payments')
  await ops.waitFor(/There are none/)
  await product.edit(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
     INSERT INTO usdt_transfers (txid, log_index, wallet, contract, from_address, units, block_number, block_time, state, reason, created_at)
     SELECT '${'0'.repeat(56)}' || (10000000 + i), 0, 'W', 'C', 'F', '3000000', 1, '2026-01-01T00:00:00.000Z', 'unmatched', 'no_order', '2026' FROM n`,
  )
  tron.chain.transfer({ units: 5_000_000n })
  await pass(SETTLED)
  await ops.waitFor(/5.00 USDT arrived/)
  await ops.press('Ignore')
  await ops.press('Ignore this payment')
  await ops.waitFor(/is ignored/)
  await ops.press('‹ Back')
  const list = await ops.waitFor(/600/)
  expect(list.keyboard.flat().map(({ text }) => text)).toContain('1 / 75')
  await ops.press('›')
  await ops.waitForButton('2 / 75')
  await ops.press(/3\.00 USDT/)
  await ops.press('Ignore')
  await ops.press('Ignore this payment')
  await ops.waitFor(/is ignored/)
  await ops.press('‹ Back')
  await ops.waitForButton('2 / 75')
})
