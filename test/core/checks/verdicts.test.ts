import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { probedInCrowds, scriptedProber } from '../../support/scripted-prober.ts'
import { openService, refused, tally } from '../../support/service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** An agent with proxies, and what the loop does with them. */
async function withProxies(count: number, { regular = true } = {}) {
  const prober = scriptedProber()
  const service = await openService({
    checks: { prober: () => prober, regular },
    operatorChats: [-100],
  })
  const { agent, product, stock, order, runJobs, core, db, clock } = service
  const owner = await agent({ name: 'owner', balance: 1000 })
  await product()
  await stock('static', count + 5)
  await order(owner, { ipCount: count })
  await runJobs()
  // The checks before the delivery are tested elsewhere.
  prober.probed.length = 0
  const proxies = await db.read.instance.findMany({ orderBy: { id: 'asc' } })
  return {
    ...service,
    prober,
    owner,
    proxies,
    /** Lets time pass, and the loop check what is due. */
    pass: async (ms: number) => {
      clock.advance(ms)
      await core.checks.due.run()
    },
    proxy: (id = 1) => db.read.instance.findUniqueOrThrow({ where: { id } }),
    told: (kind: string) => db.read.notice.findMany({ where: { kind }, orderBy: { id: 'asc' } }),
    test: (at = 0) => core.checks.check(owner, { instanceNo: proxies[at]?.instanceNo ?? '' }),
  }
}

describe('a proxy is checked because somebody asks', () => {
  it('and what is seen is told and kept', async () => {
    const { test, core, owner, proxies, proxy } = await withProxies(1, { regular: false })
    const seen = {
      verdict: 'alive',
      stage: 'done',
      reason: null,
      connectMs: 12,
      firstByteMs: 34,
      exitAddress: '198.51.100.1',
      checkedAt: '2026-03-01T12:00:00.000Z',
    }
    const instanceNo = proxies[0]?.instanceNo ?? ''
    expect(await test()).toMatchObject({ ...seen, instanceNo })
    expect(await core.checks.list(owner, { instanceNo })).toEqual([seen])
    expect(await proxy()).toMatchObject({ verdict: 'alive', failures: 0, nextCheckAt: null })
  })

  it('once a minute, whoever asks and however often at once', async () => {
    const { test, clock, core, proxies } = await withProxies(1)
    const often = await Promise.allSettled(Array.from({ length: 20 }, () => test()))
    expect(tally(often)).toEqual({ ok: 1, rate_limited: 19 })
    clock.advance(40_000)
    await refused(
      core.operator.checkProxy(SHELL, { instanceNo: proxies[0]?.instanceNo ?? '' }),
      'rate_limited',
    )
    await expect(test()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 20 })
    clock.advance(20_000)
    expect(await test()).toMatchObject({ verdict: 'alive' })
  })

  it('by its user, the user’s agent or the operator, and nobody else', async () => {
    const { core, agent, customer, proxies, owner } = await withProxies(1)
    const instanceNo = proxies[0]?.instanceNo ?? ''
    for (const stranger of [await agent(), await customer(owner)])
      await refused(core.checks.check(stranger, { instanceNo }), 'instance_not_found')
    await refused(core.checks.list(await agent(), { instanceNo }), 'instance_not_found')
  })

  it('not after its end', async () => {
    const { core, owner, test, prober, db } = await withProxies(1)
    const { orderNo } = await db.read.staticOrder.findFirstOrThrow()
    await core.orders.cancelStatic(owner, { orderNo })
    await refused(test(), 'invalid_state')
    expect(prober.probed).toEqual([])
  })

  it('not where nobody could reach the echo', async () => {
    const { core, agent, product, stock, order, runJobs, db } = await openService()
    const owner = await agent({ balance: 10 })
    await product()
    await stock('static', 1)
    await order(owner)
    await runJobs()
    const { instanceNo } = await db.read.instance.findFirstOrThrow()
    await refused(core.checks.check(owner, { instanceNo }), 'unavailable')
  })

  it('and the last 20 checks are kept', async () => {
    const { test, clock, db } = await withProxies(1)
    for (let nth = 0; nth < 25; nth += 1) {
      await test()
      clock.advance(MINUTE)
    }
    expect(await db.read.proxyCheck.count()).toBe(20)
    const [oldest] = await db.read.proxyCheck.findMany({ orderBy: { id: 'asc' }, take: 1 })
    expect(oldest?.checkedAt.toISOString()).toBe('2026-03-01T12:05:00.000Z')
  })
})

describe('the verdict that a proxy is dead', () => {
  it('takes three failures over ten minutes, and is told once', async () => {
    const { test, pass, proxy, proxies, prober, db } = await withProxies(1, { regular: false })
    prober.dead.add(proxies[0]?.ip ?? '')
    expect(await test()).toMatchObject({ verdict: 'unknown', stage: 'connect', reason: 'timeout' })
    expect(await proxy()).toMatchObject({ verdict: 'unknown', failures: 1 })
    // Pressing Test again and again makes no difference.
    for (let nth = 0; nth < 3; nth += 1) {
      await pass(MINUTE)
      await test()
    }
    expect(await proxy()).toMatchObject({ verdict: 'unknown', failures: 4 })
    await pass(5 * MINUTE)
    expect(await proxy()).toMatchObject({ verdict: 'unknown', failures: 5 })
    await pass(5 * MINUTE)
    expect(await proxy()).toMatchObject({ verdict: 'dead', failures: 6, nextCheckAt: null })
    await pass(HOUR)
    expect(prober.probed).toHaveLength(6)
    // Nobody is logged in in a chat here: what would be told is what the loop has announced.
    expect(await db.read.proxyCheck.count({ where: { verdict: 'dead' } })).toBe(1)
  })

  it('is taken back by a check that passes', async () => {
    const { test, pass, proxy, proxies, prober } = await withProxies(1, { regular: false })
    prober.dead.add(proxies[0]?.ip ?? '')
    await test()
    await pass(5 * MINUTE)
    await pass(5 * MINUTE)
    expect(await proxy()).toMatchObject({ verdict: 'dead' })
    prober.dead.clear()
    expect(await test()).toMatchObject({ verdict: 'alive' })
    expect(await proxy()).toMatchObject({ verdict: 'alive', failures: 0, failingSince: null })
  })

  it('is not made while our own echo fails, and such checks do not count', async () => {
    const { test, pass, proxy, prober } = await withProxies(1)
    prober.control = false
    expect(await test()).toMatchObject({ verdict: 'unknown', stage: 'control', reason: 'control_failed' })
    for (let nth = 0; nth < 5; nth += 1) await pass(5 * MINUTE)
    expect(await proxy()).toMatchObject({ verdict: null, failures: 0 })
    prober.control = true
    await pass(5 * MINUTE)
    expect(await proxy()).toMatchObject({ verdict: 'alive' })
  })

  it('is not made while more than a fifth of a supplier’s proxies fail at once, and the operator is told once', async () => {
    const { pass, proxies, prober, db, told, core, runJobs } = await withProxies(12)
    await pass(6 * HOUR)
    for (const { ip } of proxies) prober.dead.add(ip)
    await pass(6.7 * HOUR)
    for (let nth = 0; nth < 6; nth += 1) await pass(5 * MINUTE)
    expect(await db.read.instance.groupBy({ by: ['verdict'], _count: true })).toEqual([
      { verdict: 'unknown', _count: 12 },
    ])
    expect(await told('supplier_incident')).toMatchObject([
      { data: expect.stringContaining('"supplier":"inventory"') },
    ])
    await runJobs()
    // It is over: two remain dead, and are called so.
    const [first, second] = proxies
    for (const { ip } of proxies) prober.dead.delete(ip)
    for (const proxy of [first, second]) prober.dead.add(proxy?.ip ?? '')
    // As long as the others have not been checked, many fail.
    for (let nth = 0; nth < 2; nth += 1) await pass(5 * MINUTE)
    expect(
      await db.read.instance.groupBy({ by: ['verdict'], _count: true, orderBy: { verdict: 'asc' } }),
    ).toEqual([
      { verdict: 'alive', _count: 10 },
      { verdict: 'dead', _count: 2 },
    ])
    expect(await told('supplier_incident')).toHaveLength(1)
    expect(core.checks.regular).toBe(true)
  })
})

describe('regular checks', () => {
  it('look at each proxy about every six hours, spread over the time', async () => {
    const { pass, prober, db } = await withProxies(40)
    await pass(0)
    const times = await db.read.instance.findMany({ select: { nextCheckAt: true } })
    expect(new Set(times.map(({ nextCheckAt }) => nextCheckAt?.toISOString())).size).toBeGreaterThan(30)
    await pass(6 * HOUR)
    expect(new Set(prober.probed).size).toBe(40)
    const before = prober.probed.length
    await pass(5 * HOUR)
    expect(prober.probed).toHaveLength(before)
    await pass(1.7 * HOUR)
    expect(prober.probed).toHaveLength(before + 40)
  })

  it('are 20 at once at most', async () => {
    const service = await withProxies(60)
    const seen = probedInCrowds(service.prober, 20, service.db)
    await service.pass(0)
    await service.pass(6 * HOUR)
    expect(service.prober.probed).toHaveLength(60)
    expect(seen.most).toBe(20)
  })

  it('are not made where they are off', async () => {
    const { pass, prober } = await withProxies(3, { regular: false })
    await pass(24 * HOUR)
    expect(prober.probed).toEqual([])
  })

  it('end with the proxy', async () => {
    const { pass, prober, core, owner, db } = await withProxies(2)
    await pass(0)
    const { orderNo } = await db.read.staticOrder.findFirstOrThrow()
    await core.orders.cancelStatic(owner, { orderNo })
    await pass(24 * HOUR)
    expect(prober.probed).toEqual([])
  })
})
