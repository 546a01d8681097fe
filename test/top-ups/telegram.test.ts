import { expect, test } from 'vitest'
import { actorFor, timesTold } from '../support/notices.ts'
import { AGENT, ANN, BEN } from '../support/product.ts'
import { startUsdtProduct } from '../support/usdt-product.ts'

const MINUTE_MS = 60_000
const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
/** Whatever HTML, Markdown or a sentence could stumble over. */
const ODD = { username: `<b>"O'Neil"&amp;_*[x](y)\`</i>`, password: 'odd-password' }

test('case 49: whatever Telegram does, a payment is credited at once, and everybody hears of it when that can be', async () => {
  const shop = await startUsdtProduct({ operatorChats: [OPS.id] })
  const { product, tron, clock, pass } = shop
  const { core, telegram } = product
  await core.accounts.createSubUser(await actorFor(product, AGENT), ODD)
  const ops = product.phone(OPS)
  ops.send('/payments')
  await ops.waitFor(/There are none/)
  const ann = await product.memberPhone(ANN, ODD)
  const boss = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  const user = await actorFor(product, ODD)
  const told = () => timesTold(product, ann, /top-up has arrived/)
  const balance = async () => (await product.core.accounts.balance(user)).balance

  /** Opens a top-up and pays it: it is credited as soon as it is irreversible, whoever can be told of it. */
  async function payAndSettle(amount: string): Promise<void> {
    const { topUp } = await product.core.topUps.create(user, { amount })
    const before = await balance()
    tron.chain.transfer({ units: BigInt(topUp.payAmount) })
    await pass(10_000)
    await pass(60_000)
    expect(await balance()).toBe(before + topUp.creditAmount)
  }
  /** Lets time pass until the outbox is empty. */
  async function delivered(ms: number): Promise<void> {
    clock.advance(ms)
    product.core.jobs.queue.wake()
    await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM notices WHERE status <> 'sent')`)
  }

  // Down for an hour.
  telegram.inject({ kind: 'drop-before', times: Infinity })
  tron.chain.transfer({ units: 777_000_000n })
  await payAndSettle('20')
  await product.until(`SELECT 1 FROM jobs WHERE kind = 'deliver_notice' AND attempts > 0`)
  for (let minutes = 0; minutes < 60; minutes += 10) await pass(10 * MINUTE_MS)
  expect(told()).toBe(0)
  telegram.clearFaults()
  await delivered(10 * MINUTE_MS)
  expect(told()).toBe(1)
  expect((await ann.waitFor(/top-up has arrived/, { evenOld: true })).text).toMatch(
    /Received: 20\.00\d+ USDT/,
  )
  expect((await boss.waitFor(/Your sub-users have topped up/)).text).toContain(ODD.username)
  await ops.waitFor(/777\.00 USDT/)

  // Too many requests.
  telegram.inject({ method: 'sendMessage', chatId: ANN.id, kind: 'too-many-requests', retryAfter: 40 })
  await payAndSettle('30')
  await product.until(
    `SELECT 1 FROM jobs WHERE kind = 'deliver_notice' AND last_error LIKE '%retry after 40%'`,
  )
  await pass(30_000)
  expect(told()).toBe(1)
  await delivered(MINUTE_MS)
  expect(told()).toBe(2)

  // It arrived, but the process ends before it hears so.
  telegram.inject({ method: 'sendMessage', chatId: ANN.id, kind: 'drop-after' })
  await payAndSettle('40')
  await product.until(`SELECT 1 FROM jobs WHERE kind = 'deliver_notice' AND attempts > 0`)
  await product.stop()
  await product.start()
  await delivered(2 * MINUTE_MS)
  expect(told()).toBe(4)
  expect(timesTold(product, boss, /have topped up/)).toBe(3)

  // Somebody whose name is odd is disabled while it pays: the operator hears the name as it is.
  const agent = await actorFor(product, AGENT)
  const { topUp } = await product.core.topUps.create(user, { amount: '50' })
  await product.core.accounts.setSubUserStatus(agent, user.id, { status: 'disabled' })
  tron.chain.transfer({ units: BigInt(topUp.payAmount) })
  await pass(10_000)
  await pass(60_000)
  expect((await ops.waitFor(/50\.00/)).text).toContain(ODD.username)
  expect(await product.core.operator.audit()).toEqual([])
})
