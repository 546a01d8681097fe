import { expect, test, vi } from 'vitest'
import { SHELL } from '../src/core/people/operator.ts'
import { freePort } from './support/free-port.ts'
import { HANG_MS, PATIENCE } from './support/patience.ts'
import type { ProductProcess } from './support/process.ts'
import { operator } from './support/processes.ts'
import { AGENT } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'
import { testProxy } from './support/test-proxy.ts'

const ORDERS = 8
const IPS = 3
/** Seats that do not work, so few that it is no incident. */
const BROKEN = [4, 13, 22, 29]
/** Connections to the proxies at which the process is killed. */
const KILLED_AT = [3, 9, 18]

test('kills between the checks of proxies and their delivery lose and double nothing, and no dead proxy is delivered', async () => {
  const proxy = await testProxy({ accepts: (username) => !username.startsWith('broken') })
  const port = await freePort()
  const seats = Array.from({ length: 40 }, (_, seat) => `${BROKEN.includes(seat) ? 'broken' : 'seat'}${seat}`)
  const { database, beside, start } = await openShopToKill(
    [{ ...AGENT, balance: 1000 }],
    {
      PORT: String(port),
      CHECK_PROXIES: 'on',
      // This machine, by a name that nobody would take for its own.
      CHECK_ECHO_URL: `http://0.0.0.0:${port}`,
    },
    async ({ operator }) => {
      const names = { names: { en: 'ISP', zh: 'ISP' } }
      await operator.addProduct(SHELL, { productNo: 'ISP', ...names, price: 1, shared: true })
      await operator.importStock(
        SHELL,
        [
          'product_no,ip,port,username,password,country_code,state,city_code,cidr',
          ...seats.map((seat) => `ISP,192.0.2.1,${proxy.port},${seat},secret,US,NY,USNYC,`),
        ].join('\n'),
      )
    },
  )
  // An address of this machine is nothing that the shop would take.
  await beside.run(`UPDATE stock_ips SET ip = '127.0.0.1'`)
  const count = async (sql: string) => (await beside.rows<{ count: number }>(sql))[0]?.count

  let product: ProductProcess = await start()
  await buy(product)
  for (const connections of KILLED_AT) {
    await vi.waitUntil(() => proxy.connections >= connections, PATIENCE)
    await product.kill()
    product = await start()
  }
  const open = `SELECT count(*) AS count FROM static_orders WHERE status = 'processing'`
  await vi.waitUntil(async () => (await count(open)) === 0, { ...PATIENCE, timeout: 2 * HANG_MS })

  expect(await count(`SELECT count(*) AS count FROM static_orders WHERE status = 'active'`)).toBe(ORDERS)
  expect(await count(`SELECT count(DISTINCT username) AS count FROM instances`)).toBe(ORDERS * IPS)
  expect(await count(`SELECT count(*) AS count FROM instances WHERE username LIKE 'broken%'`)).toBe(0)
  expect(await count(`SELECT count(*) AS count FROM stock_ips WHERE order_id IS NOT NULL`)).toBe(ORDERS * IPS)
  expect(
    await count(`SELECT count(*) AS count FROM stock_ips WHERE disabled AND username LIKE 'broken%'`),
  ).toBeGreaterThan(0)
  expect(await count(`SELECT count(*) AS count FROM jobs WHERE kind = 'complete_static_order'`)).toBe(0)
  const audit = await operator(['audit'], { database })
  expect(audit).toMatchObject({ status: 0 })
})

/** Places the orders by HTTP. */
async function buy({ address }: ProductProcess): Promise<void> {
  const post = async (path: string, body: object, token = '') => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${address}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { code: number; data: { token: string; user: { id: number } } }
  }
  const { token, user } = (await post('/auth/login', AGENT)).data
  const order = {
    orderType: 'static_proxy',
    poolId: 'ISP',
    projectId: 'any',
    userId: user.id,
    ipCount: IPS,
    unitPrice: 0,
    totalAmount: 0,
    cycleTimes: 1,
    duration: 1,
    unit: 3,
  }
  for (let nth = 0; nth < ORDERS; nth += 1)
    expect(await post('/open/app/static/order/create-standard/v2', order, token)).toMatchObject({ code: 0 })
}
