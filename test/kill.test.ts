import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../src/core/clock.ts'
import { createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { createTelegramSandbox } from '../src/sandbox/telegram/telegram-sandbox.ts'
import { createInventory } from '../src/suppliers/inventory/inventory.ts'
import { createPhone } from './support/phone.ts'
import { type ProductProcess, startProcess } from './support/process.ts'
import { AGENT, ANN, logIn, SECRET, stockFile } from './support/product.ts'

const ROUNDS = 4
const CONNECTIONS = 8
const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'

describe('a kill at any moment', () => {
  const telegram = createTelegramSandbox({ token: TOKEN, botUsername: 'shop_bot' })
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
      await core.operator.createAgent({ ...AGENT, balance: 100_000 })
      await core.operator.addProduct({ productNo: 'ISP', nameEn: 'ISP', nameZh: 'ISP', price: 1.25 })
      for (let net = 0; net < 40; net += 1)
        await core.operator.importStock(stockFile('ISP', `10.0.${net}`, 250))
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

  /** Orders until the process is gone; returns the numbers that were acknowledged. */
  async function hammer(address: string, killAfter: number, kill: () => Promise<void>): Promise<string[]> {
    const authorization = await token(address)
    const order = {
      orderType: 'static_proxy',
      poolId: 'ISP',
      userId: 1,
      unitPrice: 0,
      totalAmount: 0,
      ipCount: 1,
      cycleTimes: 1,
      duration: 1,
      unit: 3,
    }
    const accepted: string[] = []
    let killed: Promise<void> | undefined
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (!killed) {
          try {
            const response = await post(
              address,
              '/open/app/static/order/create-standard/v2',
              order,
              authorization,
            )
            const { data } = (await response.json()) as { data: { orderNo: string } }
            accepted.push(data.orderNo)
          } catch {
            return
          }
          if (accepted.length >= killAfter) killed ??= kill()
        }
      }),
    )
    await killed
    return accepted
  }

  it(
    'loses no accepted order and doubles none: all complete, all notices arrive, the books are right',
    { timeout: 120_000 },
    async () => {
      const phone = createPhone(telegram, ANN)
      product = await startProcess(environment, directory)
      await logIn(phone, AGENT)
      const accepted: string[] = []
      for (let round = 1; round <= ROUNDS; round += 1) {
        const { address, kill } = product
        accepted.push(...(await hammer(address, 30 * round, kill)))
        const afterKill = new SqliteDatabase(join(directory, 'reseller.db'))
        expect(afterKill.pragma('integrity_check', { simple: true })).toBe('ok')
        afterKill.close()
        product = await startProcess(environment, directory)
      }
      const database = new SqliteDatabase(join(directory, 'reseller.db'), { readonly: true })
      const open = database.prepare('SELECT count(*) FROM jobs').pluck()
      await vi.waitUntil(() => open.get() === 0, { timeout: 90_000, interval: 100 })
      const completed = database
        .prepare(`SELECT order_no FROM static_orders WHERE status = 'active'`)
        .pluck()
        .all()
      database.close()
      expect(await product.terminate()).toBe(0)

      expect(new Set(accepted).size).toBe(accepted.length)
      expect(accepted.filter((orderNo) => !completed.includes(orderNo))).toEqual([])
      const told = telegram
        .messages(ANN.id)
        .map(({ text }) => text)
        .join('\n')
      expect(completed.filter((orderNo) => !told.includes(String(orderNo)))).toEqual([])
      expect(await withCore((core) => core.operator.audit())).toEqual([])
    },
  )
})
