/**
 * The floor: what node:http, hand-written SQL and nothing else can do on this machine, on the product's own schema.
 *
 * Arguments: `each` (every order commits by itself) or `group` (orders that arrive in one turn of the event loop share a
 * commit), and the database file. Prints its address.
 */
import { createHash, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createVerifier } from 'fast-jwt'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { cityName, countryName } from '../src/core/catalog/places.ts'
import type { OrderBody } from './seed.ts'

type Row = Readonly<Record<string, string | number | null>>

const [mode = 'each', file = ''] = process.argv.slice(2)
const verify = createVerifier({ key: process.env['JWT_SECRET'] ?? '', algorithms: ['HS256'] })

const reader = new SqliteDatabase(file, { readonly: true })
reader.pragma('cache_size = -65536')
const writer = new SqliteDatabase(file)
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) writer.pragma(pragma)

// Who asks

interface Account {
  readonly id: number
  readonly status: string
  readonly version: number
  readonly level: number | null
}

const accountById = reader.prepare<[number], Account>(
  `SELECT a.id, a.status, a.token_version AS version, coalesce(a.level, g.level) AS level
   FROM accounts a LEFT JOIN accounts g ON g.id = a.agent_id WHERE a.id = ?`,
)

function authenticate({ headers }: IncomingMessage): Account {
  const claims = verify((headers.authorization ?? '').slice('Bearer '.length)) as { sub: string; ver: number }
  const account = accountById.get(Number(claims.sub))
  if (!account || account.status !== 'active' || account.version !== claims.ver)
    throw new Error('not logged in')
  return account
}

// The order list

const countOrders = reader
  .prepare<[number], number>('SELECT count(*) FROM static_orders WHERE user_id = ?')
  .pluck()
const pageOfOrders = reader.prepare<[number, number], Row & { id: number }>(
  `SELECT o.id, o.order_no, o.order_no AS orderNo, o.app_order_no, o.app_order_no AS appOrderNo, o.provider_order_no, o.user_id,
     u.username, u.agent_id, p.product_no, p.names ->> '$.en' AS product_name, p.product_type, o.project_id, p.proxy_type, o.country_code,
     NULL AS country_name, o.city_code, NULL AS city_name, o.static_type, o.ip_count, o.success_count, o.duration, o.unit,
     o.cycle_times, o.unit_price, o.discount, o.promo_code, o.total_amount, o.refunded_amount, o.renewed_amount, o.status, o.fail_reason, o.auto_renew, o.remark,
     o.expire_time, o.created_at, o.updated_at
   FROM static_orders o JOIN products p ON p.id = o.product_id JOIN accounts u ON u.id = o.user_id
   WHERE o.user_id = ? ORDER BY o.id DESC LIMIT ?`,
)
const instancesOfPage = reader.prepare<[number, number], Row & { order_id: number }>(
  `SELECT instance_no, order_id, provider_instance_no, ip, port, username, password, country_code, city_code, cidr, status,
     CASE WHEN verdict = 'dead' THEN 'dead' WHEN verdict = 'unknown' THEN 'failing' WHEN verdict = 'alive' AND answer_ms > 3000 THEN 'slow'
       WHEN verdict = 'alive' THEN 'works' ELSE 'not_tested' END AS health, auto_renew, note, opened_at, updated_at, expire_time, released_at
   FROM instances WHERE order_id IN (SELECT id FROM static_orders WHERE user_id = ? ORDER BY id DESC LIMIT ?)
   ORDER BY order_id, id`,
)
const MICROS = 1_000_000
const PROTOCOLS = ['http', 'socks5']

function listOrders({ id }: Account, pageSize: number): string {
  const orders = pageOfOrders.all(id, pageSize)
  const instances = new Map<number, object[]>(orders.map((order) => [order.id, []]))
  const dead = new Map<number, number>()
  const numbers = new Map(orders.map((order) => [order.id, order['order_no']]))
  for (const row of instancesOfPage.all(id, pageSize)) {
    if (row['health'] === 'dead' && row['status'] === 'active')
      dead.set(row.order_id, (dead.get(row.order_id) ?? 0) + 1)
    instances.get(row.order_id)?.push({
      instance_no: row['instance_no'],
      order_no: numbers.get(row.order_id),
      provider_instance_no: row['provider_instance_no'],
      ip: row['ip'],
      port: row['port'],
      username: row['username'],
      password: row['password'],
      protocols: PROTOCOLS,
      country_code: row['country_code'],
      country_name: countryName(String(row['country_code']), 'en'),
      city_code: row['city_code'],
      city_name: cityName(String(row['city_code']), 'en'),
      cidr: row['cidr'],
      status: row['status'],
      auto_renew: row['auto_renew'] === 1,
      health: row['health'],
      note: row['note'],
      opened_at: row['opened_at'],
      updated_at: row['updated_at'],
      expire_time: row['expire_time'],
      released_at: row['released_at'],
      connection_string: `${row['ip']}:${row['port']}:${row['username']}:${row['password']}`,
    })
  }
  const items = JSON.stringify(
    orders.map((order) => ({
      ...order,
      country_name: countryName(String(order['country_code']), 'en'),
      city_name: cityName(String(order['city_code']), 'en'),
      unit_price: Number(order['unit_price']) / MICROS,
      discount: Number(order['discount']) / MICROS,
      promo_code: order['promo_code'],
      total_amount: Number(order['total_amount']) / MICROS,
      refunded_amount: Number(order['refunded_amount']) / MICROS,
      renewed_amount: Number(order['renewed_amount']) / MICROS,
      auto_renew: order['auto_renew'] === 1,
      instances_total: instances.get(order.id)?.length,
      instances_dead: dead.get(order.id) ?? 0,
      instances: instances.get(order.id),
    })),
  )
  const page = `"total":${countOrders.get(id)},"page":1,"page_size":${pageSize},"pageSize":${pageSize}`
  return `{"code":0,"message":"Success","msg":"Success","data":{"items":${items},"list":${items},${page}}}`
}

// Order acceptance

const priceOf = writer.prepare<[number, string, string, string], { id: number; price: number }>(
  `SELECT p.id, (SELECT price FROM prices WHERE product_id = p.id AND min_quantity <= ? AND scope IN (?, ?, 'product')
                 ORDER BY CASE substr(scope, 1, 5) WHEN 'user:' THEN 0 WHEN 'level' THEN 1 ELSE 2 END, min_quantity DESC LIMIT 1) AS price
   FROM products p WHERE p.product_no = ? AND p.enabled = 1`,
)
const insertOrder = writer
  .prepare<object, number>(
    `INSERT INTO static_orders (order_no, caller_id, app_order_no, request_hash, user_id, product_id, country_code, city_code,
       ip_count, duration, unit, cycle_times, periods, unit_price, total_amount, created_at, updated_at)
     VALUES (@orderNo, @accountId, @appOrderNo, @hash, @accountId, @productId, @countryCode, @cityCode, @ipCount, @duration, @unit,
       @cycleTimes, @duration * @cycleTimes, @price, @total, @now, @now)
     RETURNING id`,
  )
  .pluck()
const insertEntry = writer.prepare<object>(
  `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, paid_in, balance_after, source, order_type, order_no, operator_id, created_at)
   SELECT @transactionNo, id, coalesce(agent_id, id), 'consumption', -@total, max(-@total, -paid_in), balance - @total, 'order:' || @orderNo, 'static', @orderNo, id, @now
   FROM accounts WHERE id = @accountId AND balance >= @total`,
)
const reserve = writer.prepare<object>(
  `UPDATE stock_ips SET order_id = @orderId WHERE id IN (
     SELECT s.id FROM locations l JOIN stock_ips s ON s.location_id = l.id AND s.order_id IS NULL AND s.disabled = 0 AND s.resting = 0
     WHERE l.product_id = @productId AND l.country_code = @countryCode AND l.city_code = @cityCode LIMIT @ipCount)`,
)
const insertJob = writer.prepare<object>(
  `INSERT INTO jobs (kind, key, run_at, created_at) VALUES ('complete_static_order', @orderNo, @now, @now)`,
)

function acceptOrder({ id, level }: Account, body: string): string {
  const order = JSON.parse(body) as OrderBody
  const product = priceOf.get(order.ipCount, `user:${id}`, `level:${level}`, order.poolId)
  if (!product || order.userId !== id) throw new Error('cannot be ordered')
  const now = new Date().toISOString()
  const stamp = now.replace(/\D/g, '')
  const orderNo = `S${stamp}${randomText(8)}`
  const appOrderNo = `A${randomText(20)}`
  const values = {
    ...order,
    orderNo,
    appOrderNo,
    transactionNo: `T${stamp}${randomText(8)}`,
    hash: createHash('sha256').update(body).digest('base64url'),
    accountId: id,
    productId: product.id,
    price: BigInt(product.price),
    total: BigInt(product.price * order.ipCount * order.duration * order.cycleTimes),
    now,
  }
  const orderId = insertOrder.get(values)
  const booked = insertEntry.run(values)
  const reserved = reserve.run({ ...values, orderId })
  if (booked.changes !== 1 || reserved.changes !== order.ipCount) throw new Error('no balance or no stock')
  insertJob.run(values)
  const numbers = { orderNo, order_no: orderNo, appOrderNo, app_order_no: appOrderNo }
  const data = { ...numbers, status: 'processing', queued: true, async: true }
  return JSON.stringify({ code: 0, message: 'Order accepted', msg: 'Order accepted', data })
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += ALPHABET[randomInt(ALPHABET.length)]
  return text
}

/** Carries out `work` in a transaction and calls `answer` once it is durable. */
type Commit = (work: () => string, answer: (text: string) => void) => void

const transaction = writer.transaction((work: () => string) => work())
const commitEach: Commit = (work, answer) => answer(transaction.immediate(work))

const group: (() => () => void)[] = []
const commitGroup: Commit = (work, answer) => {
  group.push(() => {
    const text = work()
    return () => answer(text)
  })
  if (group.length > 1) return
  setImmediate(() => {
    const jobs = group.splice(0)
    writer.exec('BEGIN IMMEDIATE')
    const answers = jobs.map((job) => job())
    writer.exec('COMMIT')
    for (const send of answers) send()
  })
}

// HTTP

const commit = mode === 'group' ? commitGroup : commitEach

const server = createServer((request, response) => {
  const send = (text: string) => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    }
    response.writeHead(200, headers).end(text)
  }
  const account = authenticate(request)
  if (request.method === 'GET') return send(listOrders(account, 20))
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => commit(() => acceptOrder(account, body), send))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
