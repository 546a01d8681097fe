import { expect, test } from 'vitest'
import { topUpPicture } from '../../src/bot/topics/top-ups/pictures.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { madeUp, networkOver, OURS } from '../fixtures/made-up-network/index.ts'
import { MadeUpLedger } from '../fixtures/made-up-network/ledger.ts'
import { MADE_UP } from '../fixtures/made-up-network/traits.ts'
import { ANN } from '../support/product.ts'
import { movableClock } from '../support/service.ts'
import { openShop, unitsOf } from '../support/top-ups.ts'
import { askedIn, startUsdtProduct } from '../support/usdt-product.ts'

const MINUTE_MS = 60_000
/** Of its smallest units, in 10^-6 USDT. */
const FINER = 10n ** 12n

/** A shop that takes USDT over a network that is made up, and over TRON. */
async function openTwo() {
  const clock = movableClock()
  const ledger = new MadeUpLedger(clock)
  const shop = await openShop({
    clock,
    operatorChats: [9],
    networks: (tron) => [{ ...OURS, network: networkOver(ledger) }, tron],
  })
  const pass = async (ms: number, stepMs = 10_000) => {
    for (let left = ms; left > 0; left -= stepMs) {
      clock.advance(stepMs)
      for (const scanner of shop.core.topUps.scanners) await scanner.scan().catch(() => {})
    }
  }
  return { ...shop, ledger, pass }
}

test('a network that is made up is seen through the API: a payment is found, confirmed and credited once, to its last decimal', async () => {
  const shop = await openTwo()
  const user = await shop.customer(null)
  const http = await shop.as(user)
  expect((await http.get('/usdt/wallet-info')).body.data).toMatchObject({
    address: OURS.wallet,
    network: 'MADEUP',
    contract_address: OURS.contract,
    decimals: 18,
    confirmations_required: 10,
    qr_content: 'madeup:M-shop',
    enabled: true,
  })
  await shop.pass(20 * MINUTE_MS, MINUTE_MS)

  const topUp = await shop.open(user)
  expect(topUp).toMatchObject({ network: 'MADEUP', address: OURS.wallet })
  const check = async () => {
    const { body } = await http.get(`/usdt/check-status?order_no=${topUp.order_no}`)
    return body.data as unknown as Record<string, unknown>
  }
  // A billionth too much, which no amount of the shop can hold.
  const raw = unitsOf(topUp.pay_amount) * FINER + 999_999_999n
  const txid = shop.ledger.pay({ to: OURS.wallet, raw })
  shop.clock.advance(4_000)
  expect(await check()).toMatchObject({ status: 'confirming', tx_hash: txid, confirmations: 3 })
  await shop.pass(40_000)
  expect(await check()).toMatchObject({
    status: 'paid',
    paid_amount: topUp.pay_amount,
    confirmations: 10,
    balance: topUp.credit_amount,
  })
  await shop.pass(4 * 60 * MINUTE_MS, 10 * MINUTE_MS)
  expect(await shop.entries(user)).toHaveLength(1)
  expect(await shop.core.operator.audit()).toEqual([])
  expect(await shop.core.operator.auditWallets()).toEqual([
    { network: 'MADEUP', differences: [], warnings: [] },
    { network: 'TRC20', differences: [], warnings: [] },
  ])
  // What has left without a row in the ledger is missed, in the wallet of that network.
  shop.ledger.balanceOff = 1n
  expect(await shop.core.operator.auditWallets()).toMatchObject([
    {
      differences: [{ subject: OURS.wallet, detail: expect.stringMatching(/^\d+\.\d{18} USDT instead of /) }],
    },
    { differences: [] },
  ])
})

test('the same transaction id on two networks is two payments', async () => {
  const shop = await openTwo()
  const user = await shop.customer(null)
  const there = await shop.open(user)
  const { topUp: onTron } = await shop.core.topUps.create(user, { amount: '30', network: 'TRC20' })
  const txid = shop.people.transfer({ units: BigInt(onTron.payAmount) })
  shop.ledger.pay({ to: OURS.wallet, raw: unitsOf(there.pay_amount) * FINER, txid })
  await shop.pass(2 * MINUTE_MS)
  const entries = await shop.db.read.ledgerEntry.findMany({
    where: { accountId: user.id },
    orderBy: { id: 'asc' },
  })
  expect(new Set(entries.map(({ source }) => source))).toEqual(
    new Set([`usdt:MADEUP:${txid}:0`, `usdt:TRC20:${txid}:0`]),
  )
  expect(await shop.balance(user)).toBeCloseTo(there.credit_amount + onTron.creditAmount / 1e6, 6)
  expect(await shop.core.operator.audit()).toEqual([])
})

test('a payment of no top-up is named with its network, and without it only where one network has it', async () => {
  const shop = await openTwo()
  const txid = shop.people.transfer({ units: 7_000_000n })
  shop.ledger.pay({ to: OURS.wallet, raw: 7_000_000n * FINER, txid })
  await shop.pass(2 * MINUTE_MS)
  const { payments } = shop.core.operator
  expect((await payments.list()).map(({ network, units }) => `${network} ${units}`).toSorted()).toEqual([
    'MADEUP 7000000',
    'TRC20 7000000',
  ])
  await expect(payments.ignore(SHELL, { txid })).rejects.toMatchObject({ code: 'validation_error' })
  await payments.ignore(SHELL, { txid: `MADEUP:${txid}:0` })
  expect((await payments.list()).map(({ network }) => network)).toEqual(['TRC20'])
  await payments.ignore(SHELL, { txid })
  expect(await payments.list()).toEqual([])
})

test('a network that cannot be read does not hide the others', async () => {
  const shop = await openTwo()
  const user = await shop.customer(null)
  await shop.pass(MINUTE_MS)
  const { topUp } = await shop.core.topUps.create(user, { amount: '30', network: 'TRC20' })
  shop.ledger.down = true
  shop.people.transfer({ units: BigInt(topUp.payAmount) })
  await shop.pass(10 * MINUTE_MS)
  expect((await shop.core.topUps.get(user, topUp.orderNo)).status).toBe('paid')
  expect(await shop.alerts()).toEqual(['chain_stale'])
})

test('the chat shows a payment on it: its name, its QR code, and the way to its explorer', async () => {
  let ledger: MadeUpLedger | undefined
  const shop = await startUsdtProduct({}, (clock) => [madeUp((ledger = new MadeUpLedger(clock)))])
  const ann = await shop.memberPhone(ANN)
  await ann.press('💳 Top up')
  await ann.waitFor(/Network: Made Up Chain \(MUP20\)/)
  await ann.press('20 USDT')
  const asked = await ann.waitFor(/Waiting for your payment/)
  expect(asked.text).toContain('Send only USDT on MUP20')
  expect(asked.text).toContain(OURS.wallet)
  const picture = await topUpPicture(MADE_UP, { status: 'pending', wallet: OURS.wallet })
  expect((await ann.file(asked)).content.toString('base64')).toBe(picture)

  const txid = ledger?.pay({ to: OURS.wallet, raw: unitsOf(askedIn(asked.text)) * FINER })
  await shop.pass(4_000)
  await ann.waitFor(/\d of 10 confirmations/)
  await shop.pass(30_000)
  const paid = await ann.waitFor(
    ({ messageId, text }) => messageId === asked.messageId && text.includes('Paid'),
  )
  const links = paid.keyboard.flat().filter(({ kind }) => kind === 'url')
  expect(links.map(({ value }) => value)).toEqual([`https://explorer.example/tx/${txid}`])
})
