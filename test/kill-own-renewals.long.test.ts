import { expect, test, vi } from 'vitest'
import { openDatabase } from '../src/core/database/database.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { proveEarnings } from './support/earnings-proof.ts'
import { killPoints, type KillPoint } from './support/kill-points.ts'
import { urlOf } from './support/postgres.ts'
import { operator } from './support/processes.ts'
import { PATIENCE } from './support/patience.ts'
import { AGENT, CUSTOMER, stockFile } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'

const TERM_MS = 30 * 86_400_000
const HALF_AN_HOUR_MS = 30 * 60_000
const RENEWAL = '^insert into "renewals"'
const MONTH = { duration: 30, unit: 1, cycleTimes: 1 }

/** What is read of the answers to the customer. */
interface Answer {
  readonly token: string
  readonly order_no: string
  readonly items: readonly { readonly instance_no: string }[]
}

/** A sub-user with 1,000, of whose payments its agent earns four fifths, and the shop as a process that can be killed. */
async function openShop(stock: number) {
  const points = await killPoints()
  const settings = { ...points.settings, RATE_LIMIT_WRITES: '0' }
  const shop = await openShopToKill([{ ...AGENT, balance: 1_000 }], settings, async (core) => {
    const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
    const agent = await core.accounts.authenticate(token)
    await core.accounts.createSubUser(agent, { ...CUSTOMER, balance: 1_000 })
    await core.operator.addProduct(SHELL, { productNo: 'ISP', names: { en: 'ISP', zh: '住宅' }, price: 1 })
    await core.operator.importStock(SHELL, stockFile('ISP', '198.51.100', stock))
    await core.earnings.setPrice(agent, { markupPercent: 400 })
  })
  let { address, kill } = await shop.start()
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { code: number; data: Answer }
  }
  const { token } = (await ask('/auth/login', CUSTOMER)).data
  const authorization = { authorization: `Bearer ${token}` }
  return {
    points,
    beside: shop.beside,
    ask: (path: string, body?: object, headers: Record<string, string> = {}) =>
      ask(path, body, { ...authorization, ...headers }),
    /** One proxy for a month; resolves when all that were bought are there. */
    async buy(count: number): Promise<string[]> {
      const order = {
        orderType: 'static_proxy',
        poolId: 'ISP',
        userId: 2,
        unitPrice: 0,
        totalAmount: 0,
        ipCount: 1,
      }
      for (let at = 0; at < count; at += 1) {
        const body = { ...order, ...MONTH }
        expect(await ask('/open/app/static/order/create-standard/v2', body, authorization)).toMatchObject({
          code: 0,
        })
      }
      return vi.waitUntil(async () => {
        const { data } = await ask(`/open/app/static/instances?page_size=${count}`, undefined, authorization)
        return data.items.length === count && data.items.map(({ instance_no: number }) => number)
      }, PATIENCE)
    },
    restart: async () => {
      await kill()
      ;({ address, kill } = await shop.start())
    },
    /** Every proxy was renewed once for 5, of which the agent earned 4. */
    async expectRenewedOnce(count: number) {
      const booked = await shop.beside.rows(
        `SELECT (SELECT count(*) FROM renewals WHERE status = 'success') AS renewals,
                (SELECT count(*) FROM renewed_instances) AS proxies,
                (SELECT balance FROM accounts WHERE id = 2) / 1000000 AS balance`,
      )
      expect(booked).toEqual([{ renewals: count, proxies: count, balance: 1_000 - 2 * 5 * count }])
      const db = await openDatabase(urlOf(shop.database))
      await proveEarnings({ db }, () => 1_000_000n)
      const agent = await db.read.account.findUniqueOrThrow({ where: { id: 1 } })
      await db.close()
      expect(agent.earningPending + agent.earningAvailable).toBe(BigInt(2 * 4 * count) * 1_000_000n)
      expect(await operator(['audit'], { database: shop.database })).toMatchObject({ status: 0 })
    },
  }
}

test('a kill in an automatic renewal renews once, for its price and with the earning', async () => {
  const shop = await openShop(3)
  const { points, beside } = shop
  const proxies = await shop.buy(3)
  const steps: readonly KillPoint[] = [
    { statement: RENEWAL, count: 1, moment: 'before' },
    { statement: '^insert into "earning_entries"', count: 1, moment: 'before' },
    { statement: RENEWAL, count: 1, moment: 'committed' },
  ]
  for (const [index, step] of steps.entries()) {
    const end = new Date(Date.now() + HALF_AN_HOUR_MS).toISOString()
    points.set(step)
    await beside.change(
      'UPDATE instances SET expire_time = ?, auto_renew = true WHERE instance_no = ?',
      end,
      proxies[index],
    )
    await vi.waitUntil(() => !points.isSet(), PATIENCE)
    await shop.restart()
    const { later } = await vi.waitUntil(async () => {
      const [renewed] = await beside.rows<{ later: string }>(
        `SELECT expire_time AS later FROM instances WHERE instance_no = ? AND expire_time > ?
           AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'auto_renew_static_order')`,
        proxies[index],
        end,
      )
      return renewed
    }, PATIENCE)
    expect(Date.parse(later) - Date.parse(end)).toBeGreaterThanOrEqual(TERM_MS - 3 * 86_400_000)
    expect(Date.parse(later) - Date.parse(end)).toBeLessThanOrEqual(TERM_MS + 86_400_000)
  }
  await shop.expectRenewedOnce(3)
})

test('a kill in a renewal of 100 orders together renews all of them or none, and a repetition each once', async () => {
  const shop = await openShop(100)
  const { points } = shop
  const instances = await shop.buy(100)
  const renew = () =>
    shop.ask('/open/app/static/renew', { instances, ...MONTH }, { 'idempotency-key': 'all' })
  const renewals = async () => (await shop.beside.rows('SELECT 1 FROM renewals')).length

  points.set({ statement: RENEWAL, count: 60, moment: 'before' })
  await expect(renew()).rejects.toThrow('fetch failed')
  expect([points.isSet(), await renewals()]).toEqual([false, 0])
  await shop.restart()
  points.set({ statement: RENEWAL, count: 60, moment: 'committed' })
  await expect(renew()).rejects.toThrow('fetch failed')
  expect([points.isSet(), await renewals()]).toEqual([false, 100])
  await shop.restart()
  expect(await renew()).toMatchObject({ code: 0, data: { total_amount: 500 } })
  await shop.expectRenewedOnce(100)
})
