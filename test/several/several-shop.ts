import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createCore } from '../../src/core/core.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { createTelegramEmulator } from '../../src/emulators/telegram/telegram-emulator.ts'
import { TRON } from '../../src/networks/tron/index.ts'
import { createTronEmulator } from '../../src/emulators/tron/tron-emulator.ts'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { createInventory } from '../../src/suppliers/inventory/inventory.ts'
import { POSTGRES } from '../support/postgres.ts'
import { type ProductProcess, startProcess } from '../support/process.ts'
import { AGENT, SECRET, stockFile } from '../support/product.ts'
import { emptyDatabase, temporaryDirectory } from '../support/service.ts'
import { serve, WALLET } from '../support/top-ups.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'

/** A product that sells traffic. */
export const DYNAMIC = {
  productNo: 'DYN',
  names: { en: 'Dynamic', zh: '动态' },
  price: 1,
  proxyType: 104,
  pool: 'dynamic_1',
  gateway: 'gateway.example:8000',
} as const

/** A core on a database, beside whatever else works on it. */
export async function coreOn(url: string) {
  const db = await openDatabase(url)
  let closed: Promise<void> | undefined
  const close = () => (closed ??= db.close())
  onTestFinished(close)
  const core = createCore({
    db,
    clock: systemClock,
    suppliers: { inventory: createInventory(db.read) },
    drivers: DRIVERS,
    currency: 'USD',
    jwtSecret: SECRET,
    jwtTtl: 86_400,
  })
  return { db, core, close }
}

/**
 * A shop on PostgreSQL with an agent (balance 1000) and `proxies` proxies at 1, on which several processes work, and a Telegram that
 * outlives them.
 *
 * @param given URL of an empty database; one of the server of all tests unless said otherwise
 */
export async function openSeveralShop(
  proxies: number,
  settings: Readonly<Record<string, string>> = {},
  given?: string,
) {
  const directory = await temporaryDirectory()
  const url = given ?? (await emptyDatabase())
  const { db, core, close } = await coreOn(url)
  await core.operator.createAgent(SHELL, { ...AGENT, balance: 1000 })
  await core.operator.addProduct(SHELL, { productNo: 'ISP', names: { en: 'ISP', zh: '住宅' }, price: 1 })
  for (let first = 0; first < proxies; first += 250)
    await core.operator.importStock(
      SHELL,
      stockFile('ISP', `10.0.${first / 250}`, Math.min(250, proxies - first)),
    )

  const telegram = createTelegramEmulator({ token: TOKEN, botUsername: 'shop_bot' })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const tron = createTronEmulator({ clock: systemClock, wallet: WALLET })
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: directory,
    PORT: '0',
    JWT_SECRET: SECRET,
    SECRETS_KEY: SECRET,
    GATEWAY_TOKEN: SECRET,
    WEBHOOK_SECRET: SECRET,
    METRICS_TOKEN: SECRET,
    BOT_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`,
    USDT_WALLET: WALLET,
    TRON_API_URL: await serve(tron),
    LOG_LEVEL: 'info',
    ...settings,
  }
  return {
    url,
    db,
    core,
    close,
    telegram,
    /** The chain, and the provider that the processes ask. */
    tron,
    /** Pays to the wallet, in a block that is irreversible in a moment: clocks may differ by as much. */
    pay: (units: bigint) => tron.chain.transfer({ units, at: new Date(Date.now() - TRON.finalMs) }),
    /** Of the processes. */
    environment,
    start: (changed: Readonly<Record<string, string>> = {}): Promise<ProductProcess> =>
      startProcess({ ...environment, ...changed }, directory),
  }
}

/** Whether a process does the work in the background. */
export const leads = (shop: ProductProcess) => shop.output().includes('does the work in the background')

/** A value that a process shows at `/metrics`. */
export async function metricOf({ address }: ProductProcess, name: string): Promise<number> {
  const response = await fetch(`${address}/metrics`, {
    headers: { authorization: `Bearer ${SECRET}` },
  })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text())?.[1])
}

/** Without a server these tests cannot run; .ci/on-postgres has one. */
export const withoutPostgres = POSTGRES === undefined
