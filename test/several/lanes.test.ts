import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT } from '../support/product.ts'
import { tally } from '../support/service.ts'
import { coreOn, openSeveralShop, withoutPostgres } from './several-shop.ts'

/** So many processes write at the same time, each through a lane of its own. */
const PROCESSES = 4

describe.skipIf(withoutPostgres)('the write lanes of several processes', () => {
  it('sell each proxy once, and no more than there are', async () => {
    const shop = await openSeveralShop(30)
    const cores = await Promise.all(
      Array.from({ length: PROCESSES }, async () => (await coreOn(shop.url)).core),
    )
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => buy(cores[index % PROCESSES], `order-${index}`)),
    )
    expect(tally(results)).toEqual({ ok: 30, out_of_stock: 30 })
    const sold = await shop.db.read.stockIp.count({ where: { orderId: { not: null } } })
    expect(sold).toBe(30)
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it('spend a balance once', async () => {
    const shop = await openSeveralShop(200)
    await shop.core.operator.adjustBalance(SHELL, {
      username: AGENT.username,
      amount: -980,
      remark: 'to be short',
    })
    const cores = await Promise.all(
      Array.from({ length: PROCESSES }, async () => (await coreOn(shop.url)).core),
    )
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => buy(cores[index % PROCESSES], `order-${index}`)),
    )
    expect(tally(results)).toEqual({ ok: 20, insufficient_balance: 40 })
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it('hand each job to one of them', async () => {
    const shop = await openSeveralShop(60)
    for (let index = 0; index < 20; index += 1) await buy(shop.core, `order-${index}`)
    const cores = await Promise.all(
      Array.from({ length: PROCESSES }, async () => (await coreOn(shop.url)).core),
    )
    const claimed = await Promise.all(cores.map((core) => core.jobs.queue.claim(20, 60_000)))
    const ids = claimed.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(20)
  })
})

type AnyCore = Awaited<ReturnType<typeof coreOn>>['core']

async function buy(core: AnyCore | undefined, appOrderNo: string): Promise<unknown> {
  if (!core) throw new Error('there is no such process')
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const buyer = await core.accounts.authenticate(token)
  return core.orders.createStatic(buyer, {
    poolId: 'ISP',
    userId: buyer.id,
    ipCount: 1,
    duration: 1,
    unit: 3,
    appOrderNo,
  })
}
