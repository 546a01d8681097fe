import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SHELL } from '../src/core/people/operator.ts'
import { type SqliteConnection, SqliteDatabase } from '../src/core/database/driver.ts'
import { systemClock } from '../src/core/clock.ts'
import { createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { createTelegramEmulator } from '../src/emulators/telegram/telegram-emulator.ts'
import { createInventory } from '../src/suppliers/inventory/inventory.ts'
import { createPhone } from './support/phone.ts'
import { type ProductProcess, startProcess } from './support/process.ts'
import { AGENT, ANN, logIn, SECRET, stockFile } from './support/product.ts'
import { PATIENCE } from './support/patience.ts'

const ROUNDS = 4
const CONNECTIONS = 8
const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'
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
  readonly returned: 0 | 1
  readonly renewals: number
  readonly ownRenewals: number
  readonly cancellations: number
}

const STAYS: End = {
  status: 'active',
  instance: 'active',
  returned: 0,
  renewals: 0,
  ownRenewals: 0,
  cancellations: 0,
}

interface Fate {
  readonly end: End
  /** What the client asks for. */
  readonly task?: (orderNo: string) => Task
  /** When its proxy expires, in milliseconds from now, and whether it renews itself before. */
  readonly expires?: { readonly in: number; readonly autoRenew: 0 | 1 }
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
    end: { ...STAYS, status: 'cancelled', instance: 'released', returned: 1, cancellations: 1 },
    task: (orderNo) => ({ path: `/open/app/static/order/${orderNo}/cancel`, body: {} }),
  },
  { end: { ...STAYS, ownRenewals: 1 }, expires: { in: 30 * MINUTE, autoRenew: 1 } },
  { end: { ...STAYS, status: 'expired', instance: 'expired' }, expires: { in: -MINUTE, autoRenew: 0 } },
  {
    end: { ...STAYS, status: 'expired', instance: 'expired', returned: 1 },
    expires: { in: -25 * 60 * MINUTE, autoRenew: 0 },
  },
]

describe('a kill at any moment', () => {
  const telegram = createTelegramEmulator({ token: TOKEN, botUsername: 'shop_bot' })
  const server = Fastify({ forceCloseConnections: true })
  let directory: string
  let environment: Record<string, string>
  let product: ProductProcess | undefined

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'reseller-kill-'))
    await server.register(telegram.botApi, { prefix: '/telegram' })
    await server.listen({ host: '127.0.0.1', port: 0 })
    environment = {
      DATABASE_URL: `file:${join(directory, 'reseller.db')}`,
      PORT: '0',
      JWT_SECRET: SECRET,
      BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`,
      LOG_LEVEL: 'error',
      RATE_LIMIT_WRITES: '0',
    }
    await withCore(async (core) => {
      await core.operator.createAgent(SHELL, { ...AGENT, balance: 100_000 })
      await core.operator.addProduct(SHELL, { productNo: 'ISP', nameEn: 'ISP', nameZh: 'ISP', price: 1.25 })
      for (let net = 0; net < 4; net += 1)
        await core.operator.importStock(SHELL, stockFile('ISP', `10.0.${net}`, 250))
    })
  })

  afterAll(async () => {
    await product?.kill()
    await server.close()
    await rm(directory, { recursive: true })
  })

  async function withCore<T>(work: (core: ReturnType<typeof createCore>) => Promise<T>): Promise<T> {
    const db = await openDatabase(`file:${join(directory, 'reseller.db')}`)
    const suppliers = { inventory: createInventory(db.read) }
    try {
      return await work(
        createCore({ db, clock: systemClock, suppliers, currency: 'USD', jwtSecret: SECRET, jwtTtl: 86_400 }),
      )
    } finally {
      await db.close()
    }
  }

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

  /** Looks into the database, or changes it, as another process. */
  function inDatabase<T>(work: (database: SqliteConnection) => T, file = 'reseller.db'): T {
    const database = new SqliteDatabase(join(directory, file))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }

  /** A copy of the files is looked at: what the kill left is for the next start. */
  async function expectSound(): Promise<void> {
    for (const suffix of ['', '-wal'])
      await copyFile(join(directory, `reseller.db${suffix}`), join(directory, `copy.db${suffix}`))
    inDatabase((copy) => expect(copy.pragma('integrity_check', { simple: true })).toBe('ok'), 'copy.db')
  }

  /** Moves the expiry of orders whose proxies time shall end, or renew; of those that are completed. */
  function age(orders: ReadonlyMap<string, Fate>, aged: Set<string>): void {
    inDatabase((database) => {
      const move = database.prepare(
        `UPDATE instances SET expire_time = ?, auto_renew = ? WHERE order_id = (SELECT id FROM static_orders WHERE order_no = ?)`,
      )
      for (const [orderNo, { expires }] of orders) {
        if (!expires || aged.has(orderNo)) continue
        const end = new Date(Date.now() + expires.in).toISOString()
        if (move.run(end, expires.autoRenew, orderNo).changes === 1) aged.add(orderNo)
      }
    })
  }

  /** How often the loop has done what time brings about. */
  const doneByTime = () =>
    inDatabase((database) =>
      Number(
        database
          .prepare(
            `SELECT (SELECT count(*) FROM renewals WHERE automatic) + (SELECT count(*) FROM instances WHERE status = 'expired')`,
          )
          .pluck()
          .get(),
      ),
    )

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
    enough: () => boolean,
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
          if (answers >= orderUntil && !killed && enough()) killed = kill()
        }
      }),
    )
    await killed
    return accepted
  }

  /** Waits until nothing is left to do: no job, and nothing that time has brought about. */
  async function idle(): Promise<void> {
    const due = new Date(Date.now() + 31 * MINUTE).toISOString()
    await vi.waitUntil(
      () =>
        inDatabase((database) =>
          database
            .prepare(
              `SELECT NOT EXISTS (SELECT 1 FROM jobs) AND NOT EXISTS (SELECT 1 FROM instances WHERE status = 'active' AND expire_time < ?)`,
            )
            .pluck()
            .get(due),
        ) === 1,
      PATIENCE,
    )
  }

  it('loses nothing and doubles nothing: orders, renewals, cancellations, what time brings about, notices; the books are right', async () => {
    const phone = createPhone(telegram, ANN)
    product = await startProcess(environment, directory)
    await logIn(phone, AGENT)
    const orders = new Map<string, Fate>()
    const aged = new Set<string>()
    const tasks: Task[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = { aged: aged.size, done: doneByTime() }
      age(orders, aged)
      const accepted = await hammer(
        product,
        tasks,
        25 * round,
        () => aged.size === before.aged || doneByTime() > before.done,
      )
      for (const orderNo of accepted) {
        const fate = FATES[orders.size % FATES.length] ?? { end: STAYS }
        orders.set(orderNo, fate)
        if (fate.task) tasks.push(fate.task(orderNo))
      }
      await expectSound()
      product = await startProcess(environment, directory)
    }
    await idle()
    age(orders, aged)
    const authorization = await token(product.address)
    for (const { path, body } of tasks) {
      const answer = await (await post(product.address, path, body, authorization)).json()
      expect(answer).toMatchObject({ code: 0 })
    }
    await idle()
    expect(await product.terminate()).toBe(0)

    const ends = inDatabase((database) =>
      database
        .prepare<[], End & { orderNo: string }>(
          `SELECT o.order_no AS orderNo, o.status, i.status AS instance, i.released_at IS NOT NULL AS returned,
               (SELECT count(*) FROM renewals r WHERE r.order_id = o.id AND NOT r.automatic) AS renewals,
               (SELECT count(*) FROM renewals r WHERE r.order_id = o.id AND r.automatic) AS ownRenewals,
               (SELECT count(*) FROM cancellations c WHERE c.order_id = o.id) AS cancellations
             FROM static_orders o LEFT JOIN instances i ON i.order_id = o.id`,
        )
        .all(),
    )
    const known = new Map(ends.map(({ orderNo, ...end }) => [orderNo, end]))
    for (const [orderNo, { end }] of orders) expect([orderNo, known.get(orderNo)]).toEqual([orderNo, end])
    const told = telegram
      .messages(ANN.id)
      .map(({ text }) => text)
      .join('\n')
    expect(ends.filter(({ orderNo }) => !told.includes(orderNo))).toEqual([])
    expect(await withCore((core) => core.operator.audit())).toEqual([])
  })
})
