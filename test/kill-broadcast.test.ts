import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../src/core/clock.ts'
import { createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { createTelegramSandbox } from '../src/sandbox/telegram/telegram-sandbox.ts'
import { createPhone } from './support/phone.ts'
import { type ProductProcess, startProcess } from './support/process.ts'
import { AGENT, ANN, SECRET } from './support/product.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'
const CROWD = Array.from({ length: 30 }, (_, index) => 9000 + index)
const NEWS = 'The office is closed today.'
/** Copies that have arrived when the process is killed. */
const KILLED_AT = 7

test('a broadcast goes on after a kill in the middle: everybody is told, and twice only who was just being told', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'reseller-kill-'))
  const telegram = createTelegramSandbox({ token: TOKEN, botUsername: 'shop_bot' })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const database = join(directory, 'reseller.db')
  const environment = {
    DATABASE_URL: `file:${database}`,
    PORT: '0',
    JWT_SECRET: SECRET,
    BOT_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`,
    OPERATOR_CHAT_IDS: String(ANN.id),
    LOG_LEVEL: 'error',
  }
  let product: ProductProcess | undefined
  onTestFinished(async () => {
    await product?.kill()
    await server.close()
    await rm(directory, { recursive: true })
  })
  const db = await openDatabase(environment.DATABASE_URL)
  const core = createCore({
    db,
    clock: systemClock,
    suppliers: {},
    currency: 'USD',
    jwtSecret: SECRET,
    jwtTtl: 86_400,
  })
  const { id } = await core.operator.createAgent(AGENT)
  await db.close()
  for (const user of CROWD) {
    telegram.addUser({ id: user, firstName: `User ${user}`, languageCode: 'en' })
    telegram.send(user, '/start')
  }

  /** Chats that a copy has reached, as often as it has. */
  const told: number[] = []
  telegram.subscribe((event) => {
    if (event.type !== 'message' || event.chatId === ANN.id || !event.message.text.includes(NEWS)) return
    told.push(event.chatId)
    // The process never learns that this one has arrived.
    if (told.length === KILLED_AT) dead = product?.kill()
  })
  let dead: Promise<void> | undefined

  product = await startProcess(environment, directory)
  const chats = new SqliteDatabase(database)
  onTestFinished(() => void chats.close())
  const logIn = chats.prepare('UPDATE chats SET account_id = ?, account_version = 1 WHERE screen_message > 0')
  await vi.waitUntil(() => logIn.run(id).changes === CROWD.length, { timeout: 10_000, interval: 20 })
  const ops = createPhone(telegram, ANN)
  ops.send('/broadcast')
  await ops.press('Everybody (30)')
  await ops.waitFor('Send me the text')
  ops.send(NEWS)
  await ops.press('📣 Send to 30 chats')
  await vi.waitUntil(() => told.length >= KILLED_AT, { timeout: 10_000, interval: 5 })
  await dead
  expect(told).toHaveLength(KILLED_AT)
  product = await startProcess(environment, directory)
  await ops.waitFor('✅ Sent', { evenOld: true })
  expect(new Set(told)).toEqual(new Set(CROWD))
  expect(told).toHaveLength(CROWD.length + 1)
})
