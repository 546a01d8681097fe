import { expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, refused, tally } from '../../support/service.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const TXID = 'ab'.repeat(32)

/** An agent with 30 available: its sub-user has bought traffic for 90. */
async function shop() {
  const service = await openService({ operatorChats: [900] })
  const agent = await service.agent({ name: 'boss', balance: 100 })
  const user = await service.customer(agent, { balance: 1000 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 6 })
  const { core, db } = service
  await core.earnings.setPrice(agent, { markupPercent: 50 })
  const { order } = await service.buyTraffic(user, { trafficAmount: 10 })
  const { payouts } = core.operator
  return {
    ...service,
    agent,
    user,
    order,
    payouts,
    available: async () => (await core.earnings.ofAgent(agent)).available / 1e6,
    ask: (amount: number, requestKey?: string) =>
      core.earnings.requestPayout(agent, { amount, address: ADDRESS, requestKey }),
    told: async () => (await db.read.notice.findMany({ orderBy: { id: 'asc' } })).map(({ kind }) => kind),
  }
}

it('a payout takes what is available, is paid once by a transaction of its own, and is told', async () => {
  const { core, ask, available, payouts, agent, told, db, audited } = await shop()
  const { payout, earnings, replayed } = await ask(12.345679, 'first')
  // 2 of the currency are 1 USDT; what it is worth is rounded down.
  expect(payout).toMatchObject({
    amount: 12_345_679,
    rate: 2_000_000,
    usdtUnits: 6_172_839,
    address: ADDRESS,
  })
  expect(payout).toMatchObject({ username: 'boss', status: 'requested', txid: null, endedAt: null })
  expect([replayed, earnings]).toEqual([
    false,
    { pending: 0, available: 17_654_321, payable: 17_654_321, owed: 0 },
  ])
  expect((await ask(12.345679, 'first')).replayed).toBe(true)
  await refused(ask(10, 'first'), 'idempotency_conflict')
  expect(await available()).toBe(17.654321)
  expect(await told()).toEqual(['payout_wanted'])

  const { payoutNo } = payout
  await refused(payouts.paid(SHELL, { payoutNo, txid: 'ab' }), 'validation_error')
  await refused(payouts.paid(SHELL, { payoutNo: 'P1', txid: TXID }), 'payout_not_found')
  const pay = () => payouts.paid(SHELL, { payoutNo, txid: `0x${TXID.toUpperCase()}` })
  const raced = [pay(), pay(), payouts.refuse(SHELL, { payoutNo, reason: 'late' })]
  expect(tally(await Promise.allSettled(raced))).toEqual({ ok: 1, invalid_state: 2 })
  expect(await core.earnings.getPayout(agent, payoutNo)).toMatchObject({ status: 'paid', txid: TXID })
  await refused(core.earnings.cancelPayout(agent, payoutNo), 'invalid_state')
  const { payout: next } = await ask(10)
  await refused(payouts.paid(SHELL, { payoutNo: next.payoutNo, txid: TXID }), 'validation_error')
  expect(await available()).toBe(7.654321)
  expect((await payouts.list()).items.map(({ status }) => status)).toEqual(['requested', 'paid'])
  expect((await payouts.list({ status: 'requested' })).total).toBe(1)
  expect(await db.read.trailEntry.findMany({ where: { action: 'payout.pay' } })).toMatchObject([
    { subject: payoutNo, username: 'boss', details: expect.stringContaining('"amount":12.345679') },
  ])
  await audited()
})

it('what is refused or cancelled is available again, and repays first what is owed', async () => {
  const { core, ask, available, payouts, agent, user, order, audited } = await shop()
  const { payout: first } = await ask(20)
  const { payout: second } = await ask(10)
  await refused(ask(10), 'insufficient_balance')
  // A refund takes back what is gone.
  await core.operator.orders.refund(SHELL, { orderNo: order.orderNo, amount: 18, reason: 'slow' })
  expect(await core.earnings.ofAgent(agent)).toMatchObject({ available: 0, owed: 6_000_000 })
  const reason = 'Please name another address'
  const refusal = await payouts.refuse(SHELL, { payoutNo: first.payoutNo, reason })
  expect(refusal).toMatchObject({ status: 'refused', reason, txid: null })
  expect(await core.earnings.ofAgent(agent)).toMatchObject({ available: 14_000_000, owed: 0 })
  const cancel = (key?: string) => core.earnings.cancelPayout(agent, second.payoutNo, key)
  expect(await cancel('c')).toMatchObject({ status: 'cancelled', replayed: false })
  expect(await cancel('c')).toMatchObject({ status: 'cancelled', replayed: true })
  expect(await cancel()).toMatchObject({ status: 'cancelled' })
  expect(await available()).toBe(24)
  expect((await core.earnings.listPayouts(agent)).items.map(({ status }) => status)).toEqual([
    'cancelled',
    'refused',
  ])
  await refused(core.earnings.requestPayout(user, { amount: 10, address: ADDRESS }), 'agent_required')
  await audited()
})

it('what was on its way when the agent cancelled is noted as paid, and taken again or owed', async () => {
  const { core, ask, payouts, agent, audited } = await shop()
  const { payoutNo } = (await ask(20)).payout
  await core.earnings.cancelPayout(agent, payoutNo)
  await ask(25)
  const { available } = await core.earnings.ofAgent(agent)
  await refused(payouts.refuse(SHELL, { payoutNo, reason: 'late' }), 'invalid_state')
  expect(await payouts.paid(SHELL, { payoutNo, txid: TXID })).toMatchObject({ status: 'paid', txid: TXID })
  expect(await core.earnings.ofAgent(agent)).toMatchObject({ available: 0, owed: 20_000_000 - available })
  await refused(payouts.paid(SHELL, { payoutNo, txid: TXID }), 'invalid_state')
  await refused(core.earnings.cancelPayout(agent, payoutNo), 'invalid_state')
  await audited()
})

it('refuses what cannot be paid, and to agents that it is not of', async () => {
  const { core, ask, agent, available } = await shop()
  await expect(ask(9.999999)).rejects.toMatchObject({ issues: [{ message: 'less_than_payout_min' }] })
  for (const address of [
    '',
    'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ])
    await expect(core.earnings.requestPayout(agent, { amount: 10, address })).rejects.toMatchObject({
      issues: [{ message: 'not_a_tron_address' }],
    })
  const { payoutNo } = (await ask(10)).payout
  const other = await core.operator.createAgent(SHELL, {
    username: 'other',
    password: 'correct horse',
    level: 1,
  })
  const stranger = { ...agent, id: other.id }
  await refused(core.earnings.getPayout(stranger, payoutNo), 'payout_not_found')
  await refused(core.earnings.cancelPayout(stranger, payoutNo), 'payout_not_found')
  expect((await core.earnings.listPayouts(stranger)).total).toBe(0)
  expect(await available()).toBe(20)
})
