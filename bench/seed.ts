import { SHELL } from '../src/core/people/operator.ts'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { systemClock } from '../src/core/clock.ts'
import { type Core, createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { createInventory } from '../src/suppliers/inventory/inventory.ts'

const CUSTOMERS = 25
const ORDERS_EACH = 400
/** Orders that the database begins with. */
export const ORDERS = CUSTOMERS * ORDERS_EACH
/** Enough for every order of a run on a fast machine. */
const STOCK = 500_000
const PASSWORD = 'bench password'
const PRODUCT = 'BENCH'

/** Body of a static order. */
export type OrderBody = ReturnType<typeof orderOf>

export interface Seeded {
  /** Token of a customer with {@link ORDERS_EACH} orders. */
  readonly reader: string
  /** Token of a customer who can pay for every order of a run. */
  readonly buyer: string
  /** What the buyer orders. It names no `appOrderNo`, like most clients: each request is an order of its own. */
  readonly order: OrderBody
}

/**
 * Makes the database that every contender gets a copy of. All but the bulk of the stock goes through the service itself.
 *
 * @param size customers, orders of each, and proxies in stock
 */
export async function seed(
  file: string,
  jwtSecret: string,
  size = { customers: CUSTOMERS, ordersEach: ORDERS_EACH, stock: STOCK },
): Promise<Seeded> {
  const db = await openDatabase(`file:${file}`)
  try {
    const suppliers = { inventory: createInventory(db.read) }
    const core = createCore({ db, clock: systemClock, suppliers, currency: 'USD', jwtSecret, jwtTtl: 86_400 })
    // The product runs as its sandbox, which takes no database of anybody else.
    await core.database.claimForSandbox()
    await core.operator.addProduct(SHELL, {
      productNo: PRODUCT,
      names: { en: 'Benchmark', zh: '基准测试' },
      price: 4.5,
    })
    await core.operator.setPrice(SHELL, { productNo: PRODUCT, price: 4, minQuantity: 10 })
    await core.operator.importStock(
      SHELL,
      `product_no,ip,port,username,password,country_code,state,city_code,cidr\n${PRODUCT},9.255.255.255,8000,first,secret,US,NY,USNYC,`,
    )
    fillStock(file, size.stock)

    await core.operator.createAgent(SHELL, {
      username: 'bench-agent',
      password: PASSWORD,
      balance: 500_000_000,
    })
    const agent = await core.accounts.authenticate((await logIn(core, 'bench-agent')).token)
    const subUser = (username: string, balance: number) =>
      core.accounts.createSubUser(agent, { username, password: PASSWORD, balance })
    const customers = await Promise.all(
      Array.from({ length: size.customers }, (_, number) => subUser(`bench-${number}`, 100_000)),
    )
    const orders = customers.flatMap(({ id }) =>
      Array.from({ length: size.ordersEach }, (_, number) => orderOf(id, 1 + (number % 2))),
    )
    await Promise.all(orders.map((order) => core.orders.createStatic(agent, order)))
    await completeAll(core)

    await subUser('bench-buyer', 100_000_000)
    const buyer = await logIn(core, 'bench-buyer')
    return {
      reader: (await logIn(core, 'bench-0')).token,
      buyer: buyer.token,
      order: orderOf(buyer.account.id, 1),
    }
  } finally {
    await db.close()
  }
}

function orderOf(userId: number, ipCount: number) {
  const place = { countryCode: 'US', cityCode: 'USNYC' }
  const term = { duration: 1, unit: 3 as const, cycleTimes: 1 }
  return {
    orderType: 'static_proxy',
    poolId: PRODUCT,
    userId,
    unitPrice: 0,
    totalAmount: 0,
    ...place,
    ipCount,
    ...term,
  }
}

function logIn(core: Core, username: string) {
  return core.accounts.logIn({ username, password: PASSWORD, address: 'bench' })
}

async function completeAll(core: Core): Promise<void> {
  for (;;) {
    const jobs = await core.jobs.queue.claim(64, 60_000)
    if (jobs.length === 0) return
    await Promise.all(jobs.map((job) => core.jobs.handleOrder(job)))
  }
}

/** More proxies of the kind that is there already: 10.0.0.0, 10.0.0.1, and so on. */
function fillStock(file: string, count: number): void {
  const connection = new SqliteDatabase(file)
  connection
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
       INSERT INTO stock_ips (location_id, ip, port, username, password, cidr, network, created_at)
       SELECT location_id, format('10.%d.%d.%d', n >> 16, n >> 8 & 255, n & 255), port, 'user' || n, 'secret' || n,
              format('10.%d.%d.0/24', n >> 16, n >> 8 & 255), format('10.%d.%d.', n >> 16, n >> 8 & 255), created_at
       FROM stock_ips, numbers`,
    )
    .run(count)
  connection.close()
}
