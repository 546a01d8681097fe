import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type Core, createCore } from '../../src/core/core.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { createTelegramEmulator } from '../../src/emulators/telegram/telegram-emulator.ts'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { createInventory } from '../../src/suppliers/inventory/inventory.ts'
import { beside } from './beside.ts'
import { dataDirectoryOf, leadingToDatabase, onPostgres } from './postgres.ts'
import { type ProductProcess, startProcess } from './process.ts'
import { SECRET } from './product.ts'
import { emptyDatabase } from './service.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'

/** Of the processes, and for commands. */
export const SECRETS = { JWT_SECRET: SECRET, SECRETS_KEY: SECRET, GATEWAY_TOKEN: SECRET }
/** As if the time had passed for which a process that was killed leads and counts as a server. */
const LEASES_END = `UPDATE leader SET until = '-infinity'; DELETE FROM servers`

/**
 * A database with agents, and a Telegram that outlives the processes which work on both.
 *
 * @param settings of the processes, besides
 * @param plant what else the database begins with
 */
export async function openShopToKill(
  agents: readonly Parameters<Core['operator']['createAgent']>[1][],
  settings: Readonly<Record<string, string>>,
  plant: (core: Core) => Promise<unknown> = async () => {},
) {
  const database = await emptyDatabase()
  const directory = dataDirectoryOf(database)
  const telegram = createTelegramEmulator({ token: TOKEN, botUsername: 'shop_bot' })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const environment = {
    ...leadingToDatabase(database),
    PORT: '0',
    ...SECRETS,
    BOT_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`,
    LOG_LEVEL: 'error',
    ...settings,
  }

  const db = await openDatabase(environment.DATABASE_URL)
  const core = createCore({
    db,
    clock: systemClock,
    suppliers: { inventory: createInventory(db.read) },
    drivers: DRIVERS,
    currency: 'USD',
    jwtSecret: SECRET,
    jwtTtl: 86_400,
  })
  const other = await beside({ database })
  const ids: number[] = []
  for (const agent of agents) ids.push((await core.operator.createAgent(SHELL, agent)).id)
  await plant(core)
  await db.close()

  let running: ProductProcess | undefined
  onTestFinished(() => running?.kill())
  return {
    database,
    /** Of the test. */
    beside: other,
    telegram,
    /** Of the agents, in their order. */
    ids,
    /** @param changed what is set differently this time */
    start: async (changed: Readonly<Record<string, string>> = {}) => {
      if (onPostgres) await other.run(LEASES_END)
      return (running = await startProcess({ ...environment, ...changed }, directory))
    },
  }
}
