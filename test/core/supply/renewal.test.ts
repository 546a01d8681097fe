import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { endCall } from '../../support/end-call.ts'
import { logInAt } from '../../support/log-in-at.ts'
import { openService, refused, tally } from '../../support/service.ts'
import { suppliedOrder, withAcme } from '../../support/supplied-order.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The order of the fixture ends here. */
const END = '2026-04-01T12:00:00.000Z'
const RENEWED = '2026-05-01T12:00:00.000Z'

type Options = Parameters<typeof suppliedOrder>[2]

/** A buyer with 97 and an order of 3 proxies from a connection. */
async function supplied(options: Options = {}, capabilities: Parameters<typeof withAcme>[0] = {}) {
  const service = await openService(withAcme(capabilities))
  const buyer = await service.agent({ balance: 100 })
  const order = await suppliedOrder(service, buyer, options)
  const renew = (change: object = {}) =>
    service.core.orders.renewStatic(buyer, { order: { orderNo: order.orderNo }, ...change })
  const ends = async () => (await order.found()).instances.map(({ expireTime }) => expireTime)
  const numbers = async () => (await order.found()).instances.map(({ instanceNo }) => instanceNo)
  return { ...service, ...order, buyer, renew, ends, numbers }
}

describe('a renewal of supplied proxies', () => {
  it('is paid at once, asks the supplier, and prolongs nothing before the answer', async () => {
    const { renew, call, ends, balance, buyer, found, db, orderNo, audited } = await supplied({
      supplierExpireTime: END,
    })
    const { renewOrderNo, status, amount, instances } = await renew()
    expect({ status, amount }).toEqual({ status: 'processing', amount: 3_000_000 })
    expect(instances.map((one) => [one.status, one.newExpireTime])).toEqual(
      [1, 2, 3].map(() => ['processing', RENEWED]),
    )
    expect(await balance(buyer)).toBe(94)
    expect(await ends()).toEqual([END, END, END])
    expect((await found()).renewedAmount).toBe(3_000_000)
    expect((await found()).renewing).toHaveLength(3)
    const { kind, state, subject, expectedCost, request, count } = await call(renewOrderNo)
    expect({ kind, state, subject, expectedCost, count }).toEqual({
      kind: 'renew',
      state: 'intended',
      subject: renewOrderNo,
      expectedCost: 1_800_000,
      count: 3,
    })
    // The ceiling: 3 less a tenth, in a currency of which one is worth 2.
    expect(request).toMatchObject({
      providerOrderNo: 'their-7',
      instances: [0, 1, 2].map((at) => ({ providerInstanceNo: `${orderNo}-${at}`, expireTime: END })),
      periods: 1,
      periodUnit: 3,
      periodLength: 1,
      ceiling: '1.350000',
    })
    const connection = await db.read.supplierConnection.findFirstOrThrow()
    expect(connection.balance).toBe(98_200_000n)
    await audited()
  })

  it('succeeds: the new expiry is never later than the supplier’s, and the cost is kept', async () => {
    const service = await supplied({ supplierExpireTime: END })
    const { renew, ends, answers, runJobs, core, buyer, db, audited, balance, call } = service
    const { renewOrderNo } = await renew()
    const [first, ...others] = await answers([0, 1, 2], { expireTime: '2026-06-01T00:00:00Z' })
    if (!first) throw new Error('there is no proxy')
    const instances = [{ ...first, expireTime: '2026-04-30T00:00:00Z' }, ...others]
    await endCall(service, renewOrderNo, { instances, cost: 1_900_001 })
    await runJobs()
    expect(await ends()).toEqual(['2026-04-30T00:00:00.000Z', RENEWED, RENEWED])
    expect(await core.orders.getRenewal(buyer, renewOrderNo)).toMatchObject({
      status: 'success',
      failReason: null,
      refundedAmount: 0,
      instances: [{ newExpireTime: '2026-04-30T00:00:00.000Z' }, {}, {}],
    })
    const rows = await db.read.instance.findMany({ orderBy: { id: 'asc' } })
    expect(rows.map(({ cost }) => cost)).toEqual([1_233_333n, 1_233_334n, 1_233_334n])
    expect(rows.map(({ supplierExpireTime }) => supplierExpireTime?.toISOString())).toEqual([
      '2026-04-30T00:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
    ])
    expect((await db.read.renewal.findFirstOrThrow()).cost).toBe(1_900_001n)
    // Credentials are kept in one place.
    expect((await call(renewOrderNo)).result).toBeNull()
    expect(await balance(buyer)).toBe(94)
    await audited()
  })

  it('that is refused gives the money back once, and the old expiry holds', async () => {
    const service = await supplied()
    const { renew, ends, runJobs, core, buyer, audited, balance, found, entries, db } = service
    const { renewOrderNo } = await renew()
    await endCall(service, renewOrderNo, { reason: 'no such product' })
    const [job] = await core.jobs.queue.claim(1, 0)
    if (!job) throw new Error('there is no job')
    await Promise.all([1, 2, 3].map(() => core.jobs.handleOrder(job)))
    await service.restarted().jobs.handleOrder(job)
    await runJobs()
    expect(await ends()).toEqual([END, END, END])
    expect(await balance(buyer)).toBe(97)
    expect(await core.orders.getRenewal(buyer, renewOrderNo)).toMatchObject({
      status: 'failed',
      failReason: 'no such product',
      refundedAmount: 3_000_000,
    })
    expect((await entries(buyer)).at(-1)).toMatchObject({
      type: 'refund',
      amount: 3_000_000,
      source: `renewal-refund:${renewOrderNo}`,
    })
    expect(await found()).toMatchObject({ renewedAmount: 3_000_000, refundedAmount: 3_000_000, renewing: [] })
    expect(await db.read.job.count()).toBe(0)
    await audited()
    // What was not renewed can be renewed now.
    await renew()
    await audited()
  })

  it('that succeeds in part refunds the rest; a proxy that does not last longer was not renewed', async () => {
    const service = await supplied()
    const { renew, ends, answers, runJobs, core, buyer, audited, balance } = service
    const { renewOrderNo } = await renew()
    const [first, second] = await answers([0, 1], { expireTime: '2026-06-01T00:00:00Z' })
    if (!first || !second) throw new Error('there are no proxies')
    const instances = [first, { ...second, expireTime: END }]
    await endCall(service, renewOrderNo, { instances, cost: 600_000, reason: 'gone' })
    await runJobs()
    expect(await ends()).toEqual([RENEWED, END, END])
    expect(await balance(buyer)).toBe(96)
    expect(await core.orders.getRenewal(buyer, renewOrderNo)).toMatchObject({
      status: 'success',
      failReason: 'gone',
      refundedAmount: 2_000_000,
      instances: [{ status: 'success' }, { status: 'failed', newExpireTime: END }, { status: 'failed' }],
    })
    await audited()
    // A release gives back what was not given back before.
    const { refundAmount } = await core.orders.cancelStatic(buyer, { orderNo: service.orderNo })
    expect(refundAmount).toBe(4_000_000)
    expect(await balance(buyer)).toBe(100)
    await audited()
  })

  it('is the only one of its proxies, which cannot be released meanwhile', async () => {
    const service = await supplied()
    const { renew, core, buyer, orderNo, numbers, answers, runJobs, audited, balance } = service
    const [first = '', second = ''] = await numbers()
    expect(
      tally(await Promise.allSettled([1, 2, 3, 4].map(() => renew({ instances: [{ instanceNo: first }] })))),
    ).toEqual({
      ok: 1,
      order_processing: 3,
    })
    await refused(
      core.orders.quoteRenewal(buyer, { order: { orderNo }, instances: [{ instanceNo: first }] }),
      'order_processing',
    )
    await refused(core.orders.cancelStatic(buyer, { orderNo }), 'order_processing', { order_no: orderNo })
    await refused(core.orders.cancelStatic(buyer, { orderNo, instances: [first] }), 'order_processing')
    // The others are free.
    await core.orders.cancelStatic(buyer, { orderNo, instances: [second] })
    const rest = await renew()
    expect(rest.instances).toHaveLength(1)
    await refused(renew(), 'order_processing')
    await endCall(service, rest.renewOrderNo, { instances: await answers([2]) })
    await runJobs()
    expect(await balance(buyer)).toBe(96)
    await audited()
  })

  it('is answered as it stands when it is asked for again', async () => {
    const service = await supplied()
    const { renew, runJobs, balance, buyer } = service
    const first = await renew({ appOrderNo: 'MINE' })
    expect(await renew({ appOrderNo: 'MINE' })).toEqual({ ...first, replayed: true })
    await endCall(service, first.renewOrderNo, { reason: 'no' })
    await runJobs()
    expect(await renew({ appOrderNo: 'MINE' })).toMatchObject({ status: 'failed', replayed: true })
    expect(await balance(buyer)).toBe(97)
  })

  it('waits through the expiry: the proxy is active again, also when all others are released', async () => {
    const service = await supplied()
    const { renew, numbers, core, buyer, orderNo, clock, runJobs, found, answers, audited } = service
    const [first = '', ...others] = await numbers()
    const later = '2026-04-02T12:00:00.000Z'
    const { renewOrderNo: other } = await renew({
      instances: others.map((instanceNo) => ({ instanceNo })),
    })
    await endCall(service, other, { instances: await answers([1, 2]) })
    await runJobs()
    const { renewOrderNo } = await renew({ instances: [{ instanceNo: first }] })
    clock.set(later)
    clock.advance(24 * HOUR)
    await runJobs()
    await core.orders.cancelStatic(buyer, { orderNo })
    expect((await found()).status).toBe('cancelled')
    await endCall(service, renewOrderNo, { instances: await answers([0]) })
    await runJobs()
    expect(await found()).toMatchObject({ status: 'active', expireTime: RENEWED })
    expect((await found()).instances.map(({ status }) => status)).toEqual(['active', 'released', 'released'])
    await audited()
  })

  it('has one term for all of its proxies', async () => {
    const { renew, numbers, core, buyer, orderNo } = await supplied()
    const [first = '', second = ''] = await numbers()
    const instances = [{ instanceNo: first }, { instanceNo: second, duration: 60 }]
    await refused(renew({ instances }), 'validation_error')
    await refused(core.orders.quoteRenewal(buyer, { order: { orderNo }, instances }), 'validation_error')
    expect((await renew({ duration: 60 })).amount).toBe(6_000_000)
  })

  it('is refused where the supplier renews nothing, or the connection cannot be used', async () => {
    const { renew, audited, balance, buyer, core, orderNo, db } = await supplied({}, { renews: false })
    await refused(renew(), 'invalid_state')
    await refused(core.orders.quoteRenewal(buyer, { order: { orderNo } }), 'invalid_state')
    const times = { updatedAt: new Date('2026-03-02T00:00:00.000Z') }
    await db.write((tx) =>
      tx.supplierConnection.updateMany({ data: { credentials: 'of another key', ...times } }),
    )
    await refused(renew(), 'supplier_error')
    expect(await balance(buyer)).toBe(97)
    await audited()
  })
})

it('A renewal is refused while the account at the supplier does not cover its cost', async () => {
  const { renew, db, balance, buyer, audited } = await supplied()
  const setBalance = (micros: number) =>
    db.write((tx) => tx.supplierConnection.updateMany({ data: { balance: micros } }))
  await setBalance(1_799_999)
  await refused(renew(), 'supplier_error')
  expect(await balance(buyer)).toBe(97)
  await setBalance(1_800_000)
  await renew()
  expect((await db.read.supplierConnection.findFirstOrThrow()).balance).toBe(0n)
  await audited()
})

describe('an automatic renewal of supplied proxies', () => {
  async function selfRenewing() {
    const service = await supplied()
    await service.core.orders.setAutoRenew(service.buyer, { orderNo: service.orderNo, autoRenew: true })
    const renewals = () => service.db.read.renewal.findMany({ orderBy: { id: 'asc' } })
    return { ...service, renewals }
  }

  it('is asked for 6 hours before the expiry, and once', async () => {
    const { clock, runJobs, renewals, balance, buyer, audited } = await selfRenewing()
    clock.set('2026-04-01T05:59:59.999Z')
    await runJobs()
    expect(await renewals()).toHaveLength(0)
    clock.advance(1)
    await runJobs()
    for (let round = 0; round < 3; round += 1) {
      clock.advance(10 * MINUTE)
      await runJobs()
    }
    expect((await renewals()).map(({ status, automatic }) => [status, automatic])).toEqual([
      ['processing', true],
    ])
    expect(await balance(buyer)).toBe(94)
    await audited()
  })

  it('is tried again half an hour after a refusal, while time is left', async () => {
    const service = await selfRenewing()
    const { clock, runJobs, renewals, balance, buyer, audited, ends, answers } = service
    clock.set('2026-04-01T06:00:00.000Z')
    await runJobs()
    const [first] = await renewals()
    await endCall(service, first?.renewOrderNo ?? '', { reason: 'try later' })
    await runJobs()
    clock.advance(29 * MINUTE)
    await runJobs()
    expect(await renewals()).toHaveLength(1)
    expect(await balance(buyer)).toBe(97)
    clock.advance(2 * MINUTE)
    await runJobs()
    const [, second] = await renewals()
    await endCall(service, second?.renewOrderNo ?? '', { instances: await answers([0, 1, 2]) })
    await runJobs()
    expect(await ends()).toEqual([RENEWED, RENEWED, RENEWED])
    expect(await balance(buyer)).toBe(94)
    await audited()
  })
})

describe('what is told of a renewal of supplied proxies', () => {
  /** With a chat of the buyer, and how often a kind was announced to it. */
  async function told() {
    const service = await supplied()
    const { db, buyer, core } = service
    await core.chats.session(7, 'en')
    await logInAt(db, 7, buyer.id)
    const sweep = async () => {
      for (const each of core.jobs.noticeSweeps) await each()
    }
    const kinds = async () =>
      (await db.read.notice.findMany({ orderBy: { id: 'asc' } })).map(({ kind }) => kind)
    return { ...service, sweep, kinds }
  }

  it('is the outcome; nobody is warned of the expiry while it is processing, and everybody after a refusal', async () => {
    const service = await told()
    const { clock, renew, sweep, kinds, runJobs } = service
    clock.set('2026-03-29T13:00:00.000Z')
    const { renewOrderNo } = await renew()
    await sweep()
    expect(await kinds()).toEqual([])
    await endCall(service, renewOrderNo, { reason: 'no' })
    await runJobs()
    clock.advance(HOUR)
    await sweep()
    expect(await kinds()).toEqual(['renewal_failed'])
    clock.set('2026-03-31T13:00:00.000Z')
    await sweep()
    expect(await kinds()).toEqual(['renewal_failed', 'expiring_24h'])
  })

  it('is the expiry as well, where it was refused before that came near', async () => {
    const service = await told()
    const { clock, renew, sweep, kinds, runJobs } = service
    clock.set('2026-03-29T13:00:00.000Z')
    await endCall(service, (await renew()).renewOrderNo, { reason: 'no' })
    await runJobs()
    await sweep()
    expect(await kinds()).toEqual(['renewal_failed', 'expiring_72h'])
  })

  it('is not that the balance is low for what is paid already', async () => {
    const service = await told()
    const { clock, renew, sweep, kinds, core, buyer, orderNo } = service
    await core.orders.setAutoRenew(buyer, { orderNo, autoRenew: true })
    await core.operator.adjustBalance(SHELL, { username: buyer.username, amount: -93, remark: 'spent' })
    clock.set('2026-03-31T13:00:00.000Z')
    await renew()
    await sweep()
    expect((await kinds()).filter((kind) => kind !== 'balance_adjusted')).toEqual([])
  })

  it('is said once for an expiry, however often an automatic one is refused', async () => {
    const service = await told()
    const { clock, core, buyer, orderNo, runJobs, db, kinds, audited } = service
    await core.orders.setAutoRenew(buyer, { orderNo, autoRenew: true })
    clock.set('2026-04-01T06:00:00.000Z')
    for (let round = 1; round <= 3; round += 1) {
      await runJobs()
      const renewals = await db.read.renewal.findMany({ where: { status: 'processing' } })
      expect(renewals).toHaveLength(1)
      await endCall(service, renewals[0]?.renewOrderNo ?? '', { reason: 'no' })
      await runJobs()
      clock.advance(31 * MINUTE)
    }
    expect(await kinds()).toEqual(['renewal_failed'])
    await audited()
  })
})

describe('the end of a supplied proxy', () => {
  it('gives nothing back to anybody, and keeps one whose renewal is not decided', async () => {
    const service = await supplied()
    const { clock, runJobs, db, renew, numbers, answers, found, audited } = service
    const [first = ''] = await numbers()
    const { renewOrderNo } = await renew({ instances: [{ instanceNo: first }] })
    clock.set('2026-04-02T12:00:00.000Z')
    await runJobs()
    const returned = async () =>
      (await db.read.instance.findMany({ orderBy: { id: 'asc' } })).map(
        ({ releasedAt }) => releasedAt !== null,
      )
    expect(await returned()).toEqual([false, true, true])
    await endCall(service, renewOrderNo, { instances: await answers([0]) })
    await runJobs()
    expect((await found()).instances[0]).toMatchObject({ status: 'active', expireTime: RENEWED })
    await audited()
  })

  it('by a release is asked for in the same transaction; the refund never exceeds the supplier’s window', async () => {
    const { core, buyer, orderNo, clock, numbers, db, balance, audited, call } = await supplied({
      refundHours: 2,
    })
    const [first = '', second = ''] = await numbers()
    await core.orders.cancelStatic(buyer, { orderNo, instances: [first] })
    expect(await balance(buyer)).toBe(98)
    const { cancelNo } = await db.read.cancellation.findFirstOrThrow()
    const { kind, state, request, expectedCost } = await call(cancelNo)
    expect({ kind, state, expectedCost }).toEqual({ kind: 'release', state: 'intended', expectedCost: 0 })
    expect(request).toMatchObject({
      providerOrderNo: 'their-7',
      instances: [{ providerInstanceNo: `${orderNo}-0` }],
    })
    clock.advance(2 * HOUR + 1)
    const quote = await core.orders.quoteCancellation(buyer, { orderNo, instances: [second] })
    expect(quote).toMatchObject({ refundAmount: 0, refundUntil: '2026-03-01T14:00:00.000Z' })
    await core.orders.cancelStatic(buyer, { orderNo, instances: [second] })
    expect(await balance(buyer)).toBe(98)
    expect(await db.read.supplierCall.count({ where: { kind: 'release' } })).toBe(2)
    await audited()
  })

  it('by a release is not asked for where the supplier takes nothing back', async () => {
    const { core, buyer, orderNo, db } = await supplied({}, { releases: false })
    await core.orders.cancelStatic(buyer, { orderNo })
    expect(await db.read.supplierCall.count({ where: { kind: 'release' } })).toBe(0)
  })
})
