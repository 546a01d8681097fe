import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import type { Beside } from './beside.ts'
import { createPhone } from './phone.ts'
import { onPostgres } from './postgres.ts'
import type { ProductProcess } from './process.ts'
import { operator } from './processes.ts'
import { AGENT, ANN, logIn, stockFile } from './product.ts'
import { PATIENCE } from './patience.ts'
import { openShopToKill } from './shop-to-kill.ts'

const CONNECTIONS = 8
const MINUTE = 60_000

/** A request of a client that sends it again, under its number, until it has an answer. */
interface Task {
  readonly path: string
  readonly body: object
}

const ORDER: Task = {
  path: '/open/app/static/order/create-standard/v2',
  body: {
    orderType: 'static_proxy',
    poolId: 'ISP',
    userId: 1,
    unitPrice: 0,
    totalAmount: 0,
    ipCount: 1,
    cycleTimes: 1,
    duration: 1,
    unit: 3,
  },
}

/** How an order and its proxy must end. */
interface End {
  readonly status: string
  readonly instance: string
  /** Whether its address can be sold again. */
  readonly returned: boolean
  readonly renewals: number
  readonly ownRenewals: number
  readonly cancellations: number
}

const STAYS: End = {
  status: 'active',
  instance: 'active',
  returned: false,
  renewals: 0,
  ownRenewals: 0,
  cancellations: 0,
}

interface Fate {
  readonly end: End
  /** What the client asks for. */
  readonly task?: (orderNo: string) => Task
  /** When its proxy expires, in milliseconds from now, and whether it renews itself before. */
  readonly expires?: { readonly in: number; readonly autoRenew: boolean }
}

/** What becomes of accepted orders, of each one thing. */
const FATES: readonly Fate[] = [
  { end: STAYS },
  {
    end: { ...STAYS, renewals: 1 },
    task: (orderNo) => ({
      path: '/open/app/static/order/renew',
      body: { orderNo, duration: 30, unit: 1, cycleTimes: 1, appOrderNo: `renewal of ${orderNo}` },
    }),
  },
  {
    end: { ...STAYS, status: 'cancelled', instance: 'released', returned: true, cancellations: 1 },
    task: (orderNo) => ({ path: `/open/app/static/order/${orderNo}/cancel`, body: {} }),
  },
  { end: { ...STAYS, ownRenewals: 1 }, expires: { in: 30 * MINUTE, autoRenew: true } },
  { end: { ...STAYS, status: 'expired', instance: 'expired' }, expires: { in: -MINUTE, autoRenew: false } },
  {
    end: { ...STAYS, status: 'expired', instance: 'expired', returned: true },
    expires: { in: -25 * 60 * MINUTE, autoRenew: false },
  },
]

async function token(address: string): Promise<string> {
  const response = await post(address, '/auth/login', AGENT)
  return ((await response.json()) as { data: { token: string } }).data.token
}

function post(address: string, path: string, body: object, authorization = ''): Promise<Response> {
  return fetch(`${address}/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization ? { authorization: `Bearer ${authorization}` } : {}),
    },
    body: JSON.stringify(body),
  })
}

/** A copy of the files is looked at: what the kill left is for the next start. */
async function expectSound(database: string): Promise<void> {
  const copy = join(dirname(database), 'copy.db')
  for (const suffix of ['', '-wal']) await copyFile(`${database}${suffix}`, `${copy}${suffix}`)
  const connection = new SqliteDatabase(copy)
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
  connection.close()
}

/** Moves the expiry of orders whose proxies time shall end, or renew; of those that are completed. */
async function age({ change }: Beside, orders: ReadonlyMap<string, Fate>, aged: Set<string>): Promise<void> {
  for (const [orderNo, { expires }] of orders) {
    if (!expires || aged.has(orderNo)) continue
    const moved = await change(
      `UPDATE instances SET expire_time = ?, auto_renew = ${expires.autoRenew}
       WHERE order_id = (SELECT id FROM static_orders WHERE order_no = ?)`,
      new Date(Date.now() + expires.in).toISOString(),
      orderNo,
    )
    if (moved === 1) aged.add(orderNo)
  }
}

/** How often the loop has done what time brings about. */
async function doneByTime({ rows }: Beside): Promise<number> {
  const done = await rows(
    `SELECT id FROM renewals WHERE automatic UNION ALL SELECT id FROM instances WHERE status = 'expired'`,
  )
  return done.length
}

/**
 * Orders, and does what is to be done to orders, until the process is gone.
 *
 * @param tasks are taken from the front; what got no answer is there again afterwards
 * @param orderUntil number of answers after which nothing new is ordered
 * @param enough whether it may be killed then
 * @returns the numbers of the orders that were acknowledged
 */
async function hammer(
  { address, kill }: ProductProcess,
  tasks: Task[],
  orderUntil: number,
  enough: () => Promise<boolean>,
): Promise<string[]> {
  const authorization = await token(address)
  const accepted: string[] = []
  const done: Task[] = []
  let answers = 0
  let killed: Promise<void> | undefined
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      while (!killed) {
        const own = connection % 2 ? tasks.shift() : undefined
        // A repetition changes nothing, so that there is something to do until it is enough.
        const task = own ?? (answers < orderUntil ? ORDER : (done.at(-1) ?? ORDER))
        try {
          const response = await post(address, task.path, task.body, authorization)
          const answer = (await response.json()) as { error?: string; data: { orderNo: string } }
          if (answer.error === 'order_processing' && own) {
            tasks.push(own)
            continue
          }
          expect(answer.error).toBeUndefined()
          if (task === ORDER) accepted.push(answer.data.orderNo)
          else done.push(task)
        } catch (error) {
          if (own) tasks.push(own)
          if (!killed) throw error
          return
        }
        answers += 1
        if (answers >= orderUntil && !killed && (await enough())) killed ??= kill()
      }
    }),
  )
  await killed
  return accepted
}

/** Waits until nothing is left to do: no job, and nothing that time has brought about. */
async function idle({ rows }: Beside): Promise<void> {
  const due = new Date(Date.now() + 31 * MINUTE).toISOString()
  const left = `SELECT id FROM jobs UNION ALL SELECT id FROM instances WHERE status = 'active' AND expire_time < ?`
  await vi.waitUntil(async () => (await rows(left, due)).length === 0, PATIENCE)
}

/**
 * Kills a shop under load and starts it again, in so many rounds: nothing is lost or doubled of orders, renewals, cancellations, what
 * time brings about and notices, and the books are right.
 */
export async function proveKillsUnderLoad(rounds: number): Promise<void> {
  const settings = { RATE_LIMIT_WRITES: '0' }
  const { database, beside, telegram, start } = await openShopToKill(
    [{ ...AGENT, balance: 100_000 }],
    settings,
    async ({ operator }) => {
      await operator.addProduct(SHELL, { productNo: 'ISP', names: { en: 'ISP', zh: 'ISP' }, price: 1.25 })
      for (let net = 0; net < 4; net += 1)
        await operator.importStock(SHELL, stockFile('ISP', `10.0.${net}`, 250))
    },
  )
  const phone = createPhone(telegram, ANN)
  let product = await start()
  await logIn(phone, AGENT)
  const orders = new Map<string, Fate>()
  const aged = new Set<string>()
  const tasks: Task[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const before = { aged: aged.size, done: await doneByTime(beside) }
    await age(beside, orders, aged)
    const accepted = await hammer(
      product,
      tasks,
      25 * round,
      async () => aged.size === before.aged || (await doneByTime(beside)) > before.done,
    )
    for (const orderNo of accepted) {
      const fate = FATES[orders.size % FATES.length] ?? { end: STAYS }
      orders.set(orderNo, fate)
      if (fate.task) tasks.push(fate.task(orderNo))
    }
    if (!onPostgres) await expectSound(database)
    product = await start()
  }
  await idle(beside)
  await age(beside, orders, aged)
  const authorization = await token(product.address)
  for (const { path, body } of tasks) {
    const answer = await (await post(product.address, path, body, authorization)).json()
    expect(answer).toMatchObject({ code: 0 })
  }
  await idle(beside)
  expect(await product.terminate()).toBe(0)

  const ends = await beside.rows<Omit<End, 'returned'> & { orderNo: string; releasedAt: string | null }>(
    `SELECT o.order_no AS "orderNo", o.status, i.status AS instance, i.released_at AS "releasedAt",
       (SELECT count(*) FROM renewals r WHERE r.order_id = o.id AND NOT r.automatic) AS renewals,
       (SELECT count(*) FROM renewals r WHERE r.order_id = o.id AND r.automatic) AS "ownRenewals",
       (SELECT count(*) FROM cancellations c WHERE c.order_id = o.id) AS cancellations
     FROM static_orders o LEFT JOIN instances i ON i.order_id = o.id`,
  )
  const known = new Map(
    ends.map(({ orderNo, releasedAt, ...end }) => [orderNo, { ...end, returned: releasedAt !== null }]),
  )
  for (const [orderNo, { end }] of orders) expect([orderNo, known.get(orderNo)]).toEqual([orderNo, end])
  const told = telegram
    .messages(ANN.id)
    .map(({ text }) => text)
    .join('\n')
  expect(ends.filter(({ orderNo }) => !told.includes(orderNo))).toEqual([])
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0, stdout: 'The books balance\n' })
}
