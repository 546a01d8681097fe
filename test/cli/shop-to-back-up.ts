import { rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import Fastify from 'fastify'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { createTelegramEmulator } from '../../src/emulators/telegram/telegram-emulator.ts'
import { BOT_TOKEN } from '../support/bot.ts'
import type { Finished } from '../support/children.ts'
import { atTheEnd } from '../support/clean-up.ts'
import { command } from '../support/command-line.ts'
import { createPhone } from '../support/phone.ts'
import { operator } from '../support/processes.ts'
import { openService, type Service } from '../support/service.ts'

export const KEY = 'a passphrase of the tests, which is long'.replaceAll(' ', '-')
export const OLIVIA = { id: 77, firstName: 'Olivia', languageCode: 'en' }

export type Env = Readonly<Record<string, string>>

export const json = ({ stdout }: Finished) => JSON.parse(stdout) as Record<string, unknown>

/** A shop on whose database commands work; the one that makes a backup is a process, as only what is compiled can be started. */
export async function shopToBackUp() {
  const service = await openService()
  const buyer = await service.agent({ name: 'buyer', balance: 100 })
  await service.product('static')
  await service.stock('static', 5)
  await service.order(buyer)
  await service.runJobs()
  const { database } = service
  const backup = (args: readonly string[], env: Env = {}) =>
    command(['backup', ...args, '--json'], { database, env })
  const backUp = (env: Env = {}) => operator(['backup', 'now', '--json'], { database, env })
  const folder = join(dirname(service.path), 'backups')
  return { ...service, buyer, backup, backUp, folder }
}

/** A chat of an emulated Telegram that backups go to. */
export async function startChat() {
  const telegram = createTelegramEmulator({ token: BOT_TOKEN, botUsername: 'shop_bot' })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  atTheEnd(() => server.close())
  createPhone(telegram, OLIVIA).send('/start')
  const apiRoot = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`
  const env = { BOT_TOKEN, TELEGRAM_API_ROOT: apiRoot, BACKUP_CHAT_ID: String(OLIVIA.id) }
  const documents = () => telegram.messages(OLIVIA.id).flatMap(({ file }) => file ?? [])
  return { telegram, env, documents }
}

/** Whether it can be opened, and the orders that are in it. */
export async function ordersIn(database: Buffer, { path }: Service): Promise<number> {
  const file = join(dirname(path), 'opened.db')
  await writeFile(file, database)
  const copy = new SqliteDatabase(file, { readonly: true })
  const count = copy.prepare('SELECT count(*) FROM static_orders').pluck().get() as number
  copy.close()
  await rm(file)
  return count
}
