import { SHELL } from '../src/core/people/operator.ts'
import { type SqliteConnection, SqliteDatabase } from '../src/core/database/driver.ts'
import { systemClock } from '../src/core/clock.ts'
import { Tokens } from '../src/core/accounts/tokens.ts'
import { createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { createInventory } from '../src/suppliers/inventory/inventory.ts'

const AGENTS = 50
/** Sub-users of the agent that is measured; the first of them is the customer that is measured. */
const OWN_USERS = 200
const OWN_ORDERS = 40
const DAYS = 90
/** What happens is dealt out over this many moments of the {@link DAYS}. */
const MOMENTS = 61
/** Of a user whom nobody measures: one at each moment, 100 entries of the ledger in all. */
const ORDERS = 20
const DYNAMIC_ORDERS = 2
const USER_ENTRIES = ORDERS + DYNAMIC_ORDERS + 2 * (MOMENTS - ORDERS - DYNAMIC_ORDERS)
/** Of the agent that is measured and its sub-users: see {@link fill}. */
const OWN_ENTRIES = 2 * OWN_USERS + OWN_ORDERS + DYNAMIC_ORDERS + 2 * (OWN_USERS - 1)
const SUB_ACCOUNTS = 20
/** Of each user; none was paid, so that the ledger knows nothing of them. */
const TOP_UPS = 30
const FREE_STOCK = 1_000
const UNIT_PRICE = 5_000_000
const GB_PRICE = 2_000_000
const GIGABYTES = 10
const DAY_MS = 86_400_000
const TABLES = [
  'accounts',
  'ledger_entries',
  'ledger_days',
  'static_orders',
  'instances',
  'stock_ips',
  'traffic',
  'dynamic_orders',
  'sub_accounts',
  'top_ups',
]

export const STATIC_PRODUCT = 'SCALE'
export const DYNAMIC_PRODUCT = 'SCALE-GB'

export interface Scaled {
  readonly users: number
  readonly entries: number
  readonly instances: number
  readonly customer: { readonly id: number; readonly token: string }
  readonly agent: { readonly id: number; readonly token: string }
}

/**
 * Makes a database with about so many entries of the ledger: the measured agent and customer with what they always have, and
 * as many others as fit. The service makes the schema and the products, bulk SQL the rest, with books that balance.
 */
export async function seedScale(file: string, entries: number, jwtSecret: string): Promise<Scaled> {
  const db = await openDatabase(`file:${file}`)
  try {
    const suppliers = { inventory: createInventory(db.read) }
    const core = createCore({ db, clock: systemClock, suppliers, currency: 'USD', jwtSecret, jwtTtl: 86_400 })
    await core.database.claimForSandbox()
    await core.operator.addProduct(SHELL, {
      productNo: STATIC_PRODUCT,
      names: { en: 'Scale', zh: '规模' },
      price: UNIT_PRICE / 1e6,
    })
    await core.operator.addProduct(SHELL, {
      productNo: DYNAMIC_PRODUCT,
      names: { en: 'Traffic', zh: '流量' },
      proxyType: 104,
      pool: 'dynamic_1',
      gateway: 'gw.example.com:8000',
      price: GB_PRICE / 1e6,
    })
    await core.operator.importStock(
      SHELL,
      `product_no,ip,port,username,password,country_code,state,city_code,cidr\n${STATIC_PRODUCT},9.255.255.255,8000,first,secret,US,NY,USNYC,`,
    )
  } finally {
    await db.close()
  }
  const connection = new SqliteDatabase(file)
  try {
    connection.pragma('synchronous = OFF')
    const restore = setAside(connection)
    const { agentId, customerId } = connection.transaction(() => fill(connection, entries))()
    restore()
    const tokens = new Tokens(jwtSecret, 86_400, systemClock)
    const count = (table: string) =>
      connection.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
    return {
      users: count("accounts WHERE role = 'user'"),
      entries: count('ledger_entries'),
      instances: count('instances'),
      customer: { id: customerId, token: tokens.issue(customerId, 1) },
      agent: { id: agentId, token: tokens.issue(agentId, 1) },
    }
  } finally {
    connection.close()
  }
}

/** Takes the triggers and indexes of the big tables away for the load. @returns what puts them back */
function setAside(connection: SqliteConnection): () => void {
  const made = connection
    .prepare<[string], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_master
       WHERE type IN ('index', 'trigger') AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(TABLES))
  for (const { type, name } of made) connection.exec(`DROP ${type} "${name}"`)
  return () => {
    for (const { sql } of made) connection.exec(sql)
  }
}

interface Account {
  readonly id: number
  readonly agent: Account | undefined
  balance: number
  recharged: number
  consumed: number
}

/** Writes the rows in the order in which a busy service would: everybody's things lie between everybody else's. */
function fill(connection: SqliteConnection, entries: number): { agentId: number; customerId: number } {
  const now = Date.now()
  const write = writers(connection)
  let serial = 0
  const numberOf = (prefix: string, time: string) => {
    serial += 1
    return prefix + time.replaceAll(/\D/g, '') + String(serial).padStart(8, '0')
  }
  const accounts: Account[] = []
  const open = (agent?: Account): Account => {
    const id = accounts.length + 1
    const time = new Date(now - (DAYS + 1) * DAY_MS).toISOString()
    write.account.run(
      id,
      agent ? `user-${id}` : `agent-${id}`,
      agent ? 'user' : 'agent',
      agent ? null : 1,
      agent ? null : 'transfer',
      agent?.id ?? null,
      time,
    )
    const account = { id, agent, balance: 0, recharged: 0, consumed: 0 }
    accounts.push(account)
    return account
  }
  const book = (
    account: Account,
    type: string,
    amount: number,
    time: string,
    source: string,
    order?: readonly [type: string, number: string],
  ) => {
    account.balance += amount
    if (type === 'recharge' || (type === 'transfer_in' && account.agent)) account.recharged += amount
    if (type === 'consumption') account.consumed -= amount
    write.entry.run(
      numberOf('T', time),
      account.id,
      account.agent?.id ?? account.id,
      type,
      amount,
      account.balance,
      source,
      order?.[0] ?? null,
      order?.[1] ?? null,
      time,
    )
  }
  const recharge = (agent: Account, time: string) =>
    book(agent, 'recharge', 8_000_000_000_000, time, `recharge:${numberOf('R', time)}`)
  const topUp = (user: Account, time: string) => {
    if (!user.agent) throw new Error('only a sub-user is topped up')
    const source = `transfer:${numberOf('X', time)}`
    book(user.agent, 'transfer_out', -500_000_000, time, `${source}:agent`)
    book(user, 'transfer_in', 500_000_000, time, `${source}:user`)
  }
  let proxies = 0
  /** Every fifth order is over, every fiftieth has two proxies. */
  const orderStatic = (user: Account, time: string, nth: number) => {
    const orderNo = numberOf('S', time)
    const over = nth % 5 === 4
    const count = proxies % 50 === 0 ? 2 : 1
    const ends = new Date(now + (over ? -3 : 3 + (nth % 30)) * DAY_MS).toISOString()
    const status = over ? 'expired' : 'active'
    const { lastInsertRowid: order } = write.order.run(
      orderNo,
      user.id,
      `APP-${serial}`,
      user.id,
      count,
      count,
      count * UNIT_PRICE,
      status,
      ends,
      time,
    )
    for (let each = 0; each < count; each += 1) {
      proxies += 1
      const ip = `10.${proxies >> 16}.${(proxies >> 8) & 255}.${proxies & 255}`
      const stock = over ? `gone-${proxies}` : write.stock.run(ip, proxies, order, time).lastInsertRowid
      const released = over ? new Date(now - DAY_MS).toISOString() : null
      write.instance.run(
        numberOf('I', time),
        order,
        user.id,
        String(stock),
        ip,
        `name${proxies}`,
        status,
        time,
        ends,
        released,
      )
    }
    book(user, 'consumption', -count * UNIT_PRICE, time, `order:${orderNo}`, ['static', orderNo])
  }
  const orderDynamic = (user: Account, time: string) => {
    const orderNo = numberOf('D', time)
    const cost = GIGABYTES * GB_PRICE
    write.dynamic.run(orderNo, user.id, `APP-${serial}`, user.id, GIGABYTES * 1e9, cost, time)
    book(user, 'consumption', -cost, time, `order:${orderNo}`, ['dynamic', orderNo])
  }
  const giveTraffic = (user: Account, subAccounts: number) => {
    const time = new Date(now).toISOString()
    const name = `u0${String(user.id).padStart(12, '0')}`
    const { lastInsertRowid: traffic } = write.traffic.run(
      user.id,
      GIGABYTES * DYNAMIC_ORDERS * 1e9,
      name,
      time,
    )
    for (let each = 0; each < subAccounts; each += 1)
      write.subAccount.run(traffic, `sub_${user.id}_${each}`, time)
  }

  const agents = Array.from({ length: AGENTS }, () => open())
  const [agent] = agents
  if (!agent) throw new Error('there is no agent')
  const own = Array.from({ length: OWN_USERS }, () => open(agent))
  const [customer, ...siblings] = own
  if (!customer) throw new Error('there is no customer')
  const others = Array.from(
    { length: Math.floor((entries - OWN_ENTRIES - AGENTS) / USER_ENTRIES) },
    (_, number) => open(agents[1 + (number % (AGENTS - 1))]),
  )
  const timeOf = (moment: number, user: number) =>
    new Date(now - DAYS * DAY_MS + (moment * DAYS * DAY_MS) / MOMENTS + user * 100).toISOString()

  const start = timeOf(0, 0)
  for (const each of agents) recharge(each, start)
  for (const user of own) topUp(user, start)
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const half = Math.floor(others.length / 2)
    const otherMoves = (from: number, until: number) => {
      for (let at = from; at < until; at += 1) {
        const [user, time] = [others[at], timeOf(moment, OWN_USERS + at)]
        if (user && moment % 3 === 1) orderStatic(user, time, Math.floor(moment / 3))
        else if (user && moment % 30 === 15) orderDynamic(user, time)
        else if (user) topUp(user, time)
      }
    }
    otherMoves(0, half)
    if (moment < OWN_ORDERS) orderStatic(customer, timeOf(moment, 0), moment)
    else if (moment < OWN_ORDERS + DYNAMIC_ORDERS) orderDynamic(customer, timeOf(moment, 0))
    else if (moment % 10 === 5)
      siblings.forEach((user, at) => orderStatic(user, timeOf(moment, 1 + at), moment))
    otherMoves(half, others.length)
  }
  giveTraffic(customer, SUB_ACCOUNTS)
  for (const user of others) giveTraffic(user, 2)
  for (let rest = entries - countOf(connection); rest > 0; rest -= 1)
    recharge(agents[1 + (rest % (AGENTS - 1))] ?? agent, new Date(now).toISOString())
  for (let free = 0; free < FREE_STOCK; free += 1)
    write.stock.run(`11.0.${free >> 8}.${free & 255}`, free, null, start)
  askForTopUps(connection, now)
  for (const { id, balance, recharged, consumed } of accounts)
    write.balance.run(balance, recharged, consumed, id)
  connection.exec(
    `INSERT INTO ledger_days (viewer_id, sub_users, day, type, order_type, entries, income, expense)
     SELECT viewer_id, sub_users, substr(created_at, 1, 10), type, coalesce(order_type, ''), count(*), sum(max(amount, 0)), sum(max(-amount, 0))
     FROM (SELECT account_id AS viewer_id, 0 AS sub_users, created_at, type, order_type, amount FROM ledger_entries
           UNION ALL SELECT scope_id, 1, created_at, type, order_type, amount FROM ledger_entries WHERE scope_id <> account_id)
     GROUP BY 1, 2, 3, 4, 5`,
  )
  return { agentId: agent.id, customerId: customer.id }
}

/** Day after day, everybody asks for one and pays nothing. */
function askForTopUps(connection: SqliteConnection, now: number): void {
  const days = Array.from({ length: TOP_UPS }, (_, day) =>
    new Date(now - (TOP_UPS - day) * DAY_MS).toISOString(),
  )
  connection
    .prepare<[string]>(
      `INSERT INTO top_ups (order_no, user_id, wallet, contract, amount_units, pay_units, rate, credit_amount, status, expires_at,
         match_until, released_at, created_at, updated_at)
       SELECT 'U' || replace(substr(day.value, 1, 10), '-', '') || printf('%017d', u.id), u.id, 'wallet', 'contract', 100000000, 100010000, 1000000,
         100000000, 'expired', day.value, day.value, day.value, day.value, day.value
       FROM json_each(?) day CROSS JOIN accounts u WHERE u.role = 'user' ORDER BY day.key, u.id`,
    )
    .run(JSON.stringify(days))
}

function countOf(connection: SqliteConnection): number {
  return connection.prepare<[], number>('SELECT count(*) FROM ledger_entries').pluck().get() ?? 0
}

function writers(connection: SqliteConnection) {
  const [product, dynamic] = [STATIC_PRODUCT, DYNAMIC_PRODUCT].map((number) =>
    connection.prepare<[string], number>('SELECT id FROM products WHERE product_no = ?').pluck().get(number),
  )
  const place = connection.prepare<[], number>('SELECT id FROM locations').pluck().get()
  return {
    account: numbered(
      connection,
      `INSERT INTO accounts (id, username, username_key, password_hash, role, level, funding, agent_id, created_at, updated_at)
       VALUES (?1, ?2, ?2, 'none', ?3, ?4, ?5, ?6, ?7, ?7)`,
    ),
    balance: numbered(
      connection,
      'UPDATE accounts SET balance = ?1, total_recharge = ?2, total_consumption = ?3 WHERE id = ?4',
    ),
    entry: numbered(
      connection,
      `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, order_type, order_no, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`,
    ),
    order: numbered(
      connection,
      `INSERT INTO static_orders (order_no, caller_id, app_order_no, request_hash, user_id, product_id, country_code, city_code, ip_count,
         success_count, duration, unit, cycle_times, periods, unit_price, total_amount, status, expire_time, created_at, updated_at)
       VALUES (?1, ?2, ?3, 'none', ?4, ${product}, 'US', 'USNYC', ?5, ?6, 1, 3, 1, 1, ${UNIT_PRICE}, ?7, ?8, ?9, ?10, ?10)`,
    ),
    instance: numbered(
      connection,
      `INSERT INTO instances (instance_no, order_id, user_id, provider_instance_no, ip, port, username, password, country_code, state,
         city_code, status, opened_at, updated_at, expire_time, released_at)
       VALUES (?1, ?2, ?3, ?4, ?5, 8000, ?6, 'secret', 'US', 'NY', 'USNYC', ?7, ?8, ?8, ?9, ?10)`,
    ),
    stock: numbered(
      connection,
      `INSERT INTO stock_ips (location_id, ip, port, username, password, network, order_id, created_at)
       VALUES (${place}, ?1, 8000, 'name' || CAST(?2 AS INTEGER), 'secret', rtrim(?1, '0123456789'), ?3, ?4)`,
    ),
    dynamic: numbered(
      connection,
      `INSERT INTO dynamic_orders (order_no, caller_id, app_order_no, request_hash, user_id, product_id, traffic_bytes, unit_price,
         total_amount, created_at, updated_at)
       VALUES (?1, ?2, ?3, 'none', ?4, ${dynamic}, ?5, ${GB_PRICE}, ?6, ?7, ?7)`,
    ),
    traffic: numbered(
      connection,
      `INSERT INTO traffic (user_id, product_id, total_bytes, username, password, created_at, updated_at)
       VALUES (?1, ${dynamic}, ?2, ?3, 'secret', ?4, ?4)`,
    ),
    subAccount: numbered(
      connection,
      `INSERT INTO sub_accounts (traffic_id, username, password, created_at, updated_at) VALUES (?1, ?2, 'secret', ?3, ?3)`,
    ),
  }
}

type Value = string | number | bigint | null

/** A statement with the parameters `?1`, `?2` and so on, each of which it may name more than once. */
function numbered(connection: SqliteConnection, sql: string) {
  const statement = connection.prepare<Record<string, Value>>(sql)
  return {
    run: (...values: Value[]) =>
      statement.run(Object.fromEntries(values.map((value, at) => [String(at + 1), value]))),
  }
}
