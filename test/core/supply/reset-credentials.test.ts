import { describe, expect, it } from 'vitest'
import { endCall } from '../../support/end-call.ts'
import { openService, refused, tally } from '../../support/service.ts'
import { suppliedOrder, withAcme } from '../../support/supplied-order.ts'

const HOUR = 60 * 60_000

/** An order of 3 proxies from a connection, and the number of the first. */
async function supplied(capabilities: Parameters<typeof withAcme>[0] = {}) {
  const service = await openService(withAcme(capabilities))
  const buyer = await service.agent({ balance: 100 })
  const order = await suppliedOrder(service, buyer)
  const [first] = (await order.found()).instances
  const instanceNo = first?.instanceNo ?? ''
  const reset = (key?: string) => service.core.orders.resetCredentials(buyer, instanceNo, key)
  const credentials = async () =>
    (await order.found()).instances.map(({ username, password }) => `${username}:${password}`)
  return { ...service, ...order, buyer, instanceNo, reset, credentials }
}

describe('other credentials of a supplied proxy', () => {
  it('are asked for once, and stored when the supplier has answered', async () => {
    const service = await supplied()
    const { reset, call, credentials, answers, runJobs, orderNo, db, audited } = service
    const before = await credentials()
    const results = await Promise.allSettled([reset('KEY'), reset('KEY'), reset(), reset()])
    expect(tally(results)).toEqual({ ok: 2, rate_limited: 2 })
    const { resetNo, replayed } = await reset('KEY')
    expect(replayed).toBe(true)
    const { kind, subject, request, expectedCost } = await call(resetNo)
    expect({ kind, subject, expectedCost }).toEqual({ kind: 'reset', subject: resetNo, expectedCost: 0 })
    expect(request).toMatchObject({
      providerOrderNo: 'their-7',
      instances: [{ providerInstanceNo: `${orderNo}-0` }],
    })
    expect(await credentials()).toEqual(before)
    await endCall(service, resetNo, { instances: await answers([0], { username: 'new', password: 'other' }) })
    await service.restarted().jobs.queue.takeOver()
    await runJobs()
    expect(await credentials()).toEqual(['new:other', ...before.slice(1)])
    expect((await call(resetNo)).result).toBeNull()
    expect(await db.read.job.count()).toBe(0)
    await audited()
  })

  it('stay the old ones when the supplier refuses', async () => {
    const service = await supplied()
    const { reset, credentials, runJobs } = service
    const before = await credentials()
    await endCall(service, (await reset()).resetNo, { reason: 'not now' })
    await runJobs()
    expect(await credentials()).toEqual(before)
  })

  it('are there once an hour for each proxy, and not before the supplier has answered', async () => {
    const service = await supplied()
    const { reset, clock, core, buyer, found } = service
    const { resetNo } = await reset()
    await refused(reset(), 'rate_limited')
    const second = (await found()).instances[1]?.instanceNo ?? ''
    await core.orders.resetCredentials(buyer, second)
    clock.advance(2 * HOUR)
    await refused(reset(), 'rate_limited')
    await endCall(service, resetNo, { reason: 'no' })
    expect((await reset()).resetNo).not.toBe(resetNo)
  })

  it('are not for the own stock, ended proxies, and suppliers that give none', async () => {
    const { core, buyer, orderNo, instanceNo, reset, agent, db } = await supplied({ resets: false })
    await refused(reset(), 'invalid_state')
    await refused(core.orders.resetCredentials(buyer, 'I1'), 'instance_not_found')
    await refused(core.orders.resetCredentials(await agent(), instanceNo), 'instance_not_found')
    await core.orders.cancelStatic(buyer, { orderNo })
    await refused(reset(), 'invalid_state')
    expect(await db.read.supplierCall.count({ where: { kind: 'reset' } })).toBe(0)
  })
})
