import { expect, onTestFinished, test, vi } from 'vitest'
import { SHELL } from '../src/core/people/operator.ts'
import { systemClock } from '../src/core/clock.ts'
import { type Core, createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { createInventory } from '../src/suppliers/inventory/inventory.ts'
import { freePort } from './support/free-port.ts'
import { HANG_MS, PATIENCE } from './support/patience.ts'
import type { ProductProcess } from './support/process.ts'
import { operator } from './support/processes.ts'
import { AGENT, SECRET } from './support/product.ts'
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
  const { database, start } = await openShopToKill([{ ...AGENT, balance: 1000 }], {
    PORT: String(port),
    CHECK_PROXIES: 'on',
    // This machine, by a name that nobody would take for its own.
    CHECK_ECHO_URL: `http://0.0.0.0:${port}`,
  })
  const seats = Array.from({ length: 40 }, (_, seat) => `${BROKEN.includes(seat) ? 'broken' : 'seat'}${seat}`)
  await withCore(database, async (core) => {
    const names = { nameEn: 'ISP', nameZh: 'ISP' }
    await core.operator.addProduct(SHELL, { productNo: 'ISP', ...names, price: 1, shared: true })
    await core.operator.importStock(
      SHELL,
      [
        'product_no,ip,port,username,password,country_code,state,city_code,cidr',
        ...seats.map((seat) => `ISP,192.0.2.1,${proxy.port},${seat},secret,US,NY,USNYC,`),
      ].join('\n'),
    )
  })
  const tables = new SqliteDatabase(database)
  onTestFinished(() => void tables.close())
  // An address of this machine is nothing that the shop would take.
  tables.exec(`UPDATE stock_ips SET ip = '127.0.0.1'`)
  const count = (sql: string) => Number(tables.prepare(sql).pluck().get())

  let product: ProductProcess = await start()
  await buy(product)
  for (const connections of KILLED_AT) {
    await vi.waitUntil(() => proxy.connections >= connections, PATIENCE)
    await product.kill()
    product = await start()
  }
  const open = `SELECT count(*) FROM static_orders WHERE status = 'processing'`
  await vi.waitUntil(() => count(open) === 0, { ...PATIENCE, timeout: 2 * HANG_MS })

  expect(count(`SELECT count(*) FROM static_orders WHERE status = 'active'`)).toBe(ORDERS)
  expect(count(`SELECT count(DISTINCT username) FROM instances`)).toBe(ORDERS * IPS)
  expect(count(`SELECT count(*) FROM instances WHERE username LIKE 'broken%'`)).toBe(0)
  expect(count(`SELECT count(*) FROM stock_ips WHERE order_id IS NOT NULL`)).toBe(ORDERS * IPS)
  expect(count(`SELECT count(*) FROM stock_ips WHERE disabled AND username LIKE 'broken%'`)).toBeGreaterThan(
    0,
  )
  expect(count(`SELECT count(*) FROM jobs WHERE kind = 'complete_static_order'`)).toBe(0)
  const audit = await operator(['audit'], { database })
  expect(audit).toMatchObject({ status: 0 })
})

async function withCore(database: string, work: (core: Core) => Promise<unknown>): Promise<void> {
  const db = await openDatabase(`file:${database}`)
  const suppliers = { inventory: createInventory(db.read) }
  const options = { db, suppliers, clock: systemClock, currency: 'USD', jwtSecret: SECRET, jwtTtl: 86_400 }
  try {
    await work(createCore(options))
  } finally {
    await db.close()
  }
}

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
