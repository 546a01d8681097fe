import { describe, expect, it } from 'vitest'
import type { Actor } from '../../src/core/access/actor.ts'
import type { Tx } from '../../src/core/database/database.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT } from '../support/product.ts'
import { tally } from '../support/service.ts'
import { openQuietNetwork } from './quiet-network.ts'
import { coreOn, openSeveralShop, withoutPostgres } from './several-shop.ts'

/** As many as share a commit. */
const ORDERS = 64
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
    await spend(shop, 980)
    const cores = await Promise.all(
      Array.from({ length: PROCESSES }, async () => (await coreOn(shop.url)).core),
    )
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => buy(cores[index % PROCESSES], `order-${index}`)),
    )
    expect(tally(results)).toEqual({ ok: 20, insufficient_balance: 40 })
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it('accept orders side by side, in few round trips', async () => {
    const shop = await openSeveralShop(ORDERS)
    const network = await openQuietNetwork(shop.url)
    const { core } = await coreOn(network.url)
    const buyer = await buyerOf(core)
    await order(core, buyer)
    const before = network.roundTrips()
    await Promise.all(Array.from({ length: ORDERS - 1 }, () => order(core, buyer)))
    // One after another, each of them would need four.
    expect(network.roundTrips() - before).toBeLessThan(ORDERS / 2)
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it('refuse an order without the others that came with it', async () => {
    const shop = await openSeveralShop(40)
    await spend(shop, 900)
    const buyer = await buyerOf(shop.core)
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        order(shop.core, buyer, undefined, [1, 1, 60, 200][index % 4]),
      ),
    )
    expect(tally(results)).toEqual({ ok: 20, out_of_stock: 10, insufficient_balance: 10 })
    expect(await shop.db.read.stockIp.count({ where: { orderId: { not: null } } })).toBe(20)
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it('accept an order once that comes several times at once', async () => {
    const shop = await openSeveralShop(40)
    const buyer = await buyerOf(shop.core)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => order(shop.core, buyer, `order-${index % 8}`)),
    )
    expect(new Set(answers.map(({ orderNo }) => orderNo)).size).toBe(8)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(8)
    expect(await shop.db.read.staticOrder.count()).toBe(8)
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it('share what they read only as long as nothing was changed or undone', async () => {
    const { db } = await openSeveralShop(1)
    const names = async (tx: Tx) => {
      const rows = await tx.$kysely.selectFrom('settings').select('key').where('key', '=', 'new').execute()
      return rows.map(({ key }) => key)
    }
    const seen: string[][] = []
    const [undone, next] = await Promise.allSettled([
      db.write(async (tx) => {
        seen.push(await names(tx))
        await tx.$kysely.insertInto('settings').values({ key: 'new', value: '' }).execute()
        seen.push(await names(tx))
        throw new Error('undone')
      }),
      db.write(names),
    ])
    expect(seen).toEqual([[], ['new']])
    expect(undone.status).toBe('rejected')
    expect(next).toEqual({ status: 'fulfilled', value: [] })
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
  return order(core, await buyerOf(core), appOrderNo)
}

/** So much less is in the balance of the agent. */
function spend({ core }: { readonly core: AnyCore }, amount: number) {
  return core.operator.adjustBalance(SHELL, {
    username: AGENT.username,
    amount: -amount,
    remark: 'to be short',
  })
}

async function buyerOf(core: AnyCore): Promise<Actor> {
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  return core.accounts.authenticate(token)
}

function order(core: AnyCore, buyer: Actor, appOrderNo?: string, ipCount = 1) {
  const term = { duration: 1, unit: 3 as const }
  const input = { poolId: 'ISP', userId: buyer.id, ipCount, ...term, ...(appOrderNo && { appOrderNo }) }
  return core.orders.createStatic(buyer, input)
}
