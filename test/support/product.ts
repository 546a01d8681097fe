import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { type App, startApp, type AppOverrides } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { createCore } from '../../src/core/core.ts'
import type { Database } from '../../src/core/database/database.ts'
import { createLogger } from '../../src/logger.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { createInventory } from '../../src/suppliers/inventory/inventory.ts'
import { type Beside, beside } from './beside.ts'
import { fastHash } from './fast-hash.ts'
import { lazyServer } from './lazy-server.ts'
import { PATIENCE } from './patience.ts'
import { createPhone } from './phone.ts'
import { dataDirectoryOf, urlOf } from './postgres.ts'
import { copiesOf, type DatabaseCopier, movableClock, PAYOUTS } from './service.ts'
import { serveTelegram } from './telegram-server.ts'

export const SECRET = 'a-secret-of-the-tests-that-is-long-enough'
const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'

export const AGENT = { username: 'agent', password: 'agent-password' }
export const CUSTOMER = { username: 'customer', password: 'customer-password' }

export const ANN: EmulatedUser = { id: 501, firstName: 'Ann', languageCode: 'en' }
export const BEN: EmulatedUser = { id: 502, firstName: 'Ben', languageCode: 'zh-hans' }

/** Lines of a stock file: `count` proxies of a product in one place. */
export function stockFile(productNo: string, network: string, count: number, place = 'US,NY,USNYC'): string {
  const lines = Array.from(
    { length: count },
    (_, i) => `${productNo},${network}.${i + 1},8000,user${i + 1},pass${i + 1},${place},${network}.0/24`,
  )
  return ['product_no,ip,port,username,password,country_code,state,city_code,cidr', ...lines].join('\n')
}

/**
 * The whole product as in production, against an emulator of Telegram that outlives restarts. It has an agent (balance 1000)
 * with a customer (balance 50), and 30 proxies of one product at 4.50 a month in New York. Everything ends with the test.
 */
export async function startProduct(given: AppOverrides = {}, settings: Partial<Config> = {}) {
  const backupMaker = { make: async () => ({ bytes: 1000, places: ['folder'] as const }) }
  const { telegram, apiRoot, shortcut, close } = await serveTelegram(TOKEN)
  // Telegram's webhook is a route beside those of the API.
  const overrides = {
    backupMaker,
    ...(settings.telegram ? {} : { telegram: shortcut }),
    ...(settings.webhook ? {} : { server: lazyServer }),
    ...given,
  }
  const database = await shopOf(overrides.clock ?? systemClock)
  const directory = dataDirectoryOf(database)
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    databaseUrl: urlOf(database),
    dataDirectory: directory,
    jwtSecret: SECRET,
    secretsKey: SECRET,
    gatewayToken: SECRET,
    gateway: undefined,
    probeTarget: { host: '127.0.0.1', port: 9 },
    jwtTtl: 86_400,
    currency: 'USD',
    apiVariant: 'A',
    telegram: { mode: 'telegram', token: TOKEN, apiRoot },
    webhook: undefined,
    publicUrl: undefined,
    agentBots: undefined,
    agentBotsUrl: undefined,
    loopbackWebhooks: true,
    mail: undefined,
    payouts: PAYOUTS,
    topUps: undefined,
    log: { level: 'info', format: 'pino' },
    rateLimits: { reads: 0, writes: 0, strangers: 0 },
    chatLimit: 0,
    trustedProxies: [],
    updateFeed: undefined,
    metricsToken: undefined,
    operatorChats: [],
    supportContact: undefined,
    registrationLink: undefined,
    checks: { regular: false, echoUrl: undefined, controlProxy: undefined },
    backups: {
      everyMs: undefined,
      settings: {
        database: join(directory, 'reseller.db'),
        directory: join(directory, 'backups'),
        keep: 2,
        key: undefined,
        s3: undefined,
        chat: undefined,
      },
    },
    ...settings,
  }
  const log: string[] = []
  const logger = createLogger(config.log, [SECRET, TOKEN], { write: (line) => void log.push(line) })
  let app: App = await startApp(config, logger, overrides)
  onTestFinished(async () => {
    await app.stop()
    await close()
  })
  let opened: Promise<Beside> | undefined
  /** A connection of the test. */
  const other = () => (opened ??= beside({ database: config.databaseUrl.replace(/^file:/, '') }))

  return {
    /** Names it to commands. */
    database,
    telegram,
    /** Waits until the bot asks Telegram for messages: on PostgreSQL it begins after the start, when the server leads. */
    untilPolling: () =>
      vi.waitUntil(() => telegram.calls().some(({ method }) => method === 'getUpdates'), PATIENCE),
    /** Everything that was logged. */
    log,
    config,
    get app() {
      return app
    },
    get core() {
      return app.core
    },
    /** @param username the bot that the person talks with, of those in the emulator; default: the shop's */
    phone: (user: EmulatedUser, username?: string) =>
      createPhone(username === undefined ? telegram : telegram.bot(username), user),
    /** Changes the database from outside, as another process would, with a value for each `?`. */
    edit: async (sql: string, ...values: unknown[]): Promise<void> => {
      await (await other()).change(sql, ...values)
    },
    /** The same, of which no trigger knows. */
    editUnwatched: async (sql: string): Promise<void> => (await other()).unwatched(sql),
    /** Waits until a query finds something. */
    until: async (sql: string): Promise<unknown> => {
      const { rows } = await other()
      return vi.waitUntil(async () => (await rows(sql))[0], PATIENCE)
    },
    /** Lets each statement fail that does this; see {@link Beside}. */
    crash: async (...when: Parameters<Beside['crash']>) => (await other()).crash(...when),
    stop: () => app.stop(),
    /** @param changed what is set differently from now on */
    start: async (changed: Partial<Config> = {}) => {
      app = await startApp({ ...config, ...changed }, logger, overrides)
    },
    /** A phone on which somebody is logged in already. */
    memberPhone: async (user: EmulatedUser, account = CUSTOMER) => {
      const phone = createPhone(telegram, user)
      await logIn(phone, account)
      return phone
    },
  }
}

export type Product = Awaited<ReturnType<typeof startProduct>>

/** Goes through the log-in dialogue. */
export async function logIn(
  phone: ReturnType<typeof createPhone>,
  { username, password }: typeof CUSTOMER,
): Promise<void> {
  phone.send('/login')
  await phone.waitFor(/username|用户名/)
  phone.send(username)
  await phone.waitFor(/password|密码/)
  phone.send(password)
  await phone.waitFor((message) => message.text.includes(`👤 ${username}`))
}

/** Databases with the shop of {@link startProduct}, by the day on which it was opened. */
const shops = new Map<string, Promise<DatabaseCopier>>()

/** A copy of the shop as it was opened at the beginning of the day: opening it takes longer than most tests. */
async function shopOf(clock: Clock): Promise<string> {
  const day = clock.now().toISOString().slice(0, 10)
  const shop = shops.get(day) ?? copiesOf((db) => plant(db, movableClock(day)))
  shops.set(day, shop)
  return (await shop)()
}

async function plant(db: Database, clock: Clock): Promise<void> {
  const suppliers = { inventory: createInventory(db.read) }
  const core = createCore({ db, clock, suppliers, currency: 'USD', jwtSecret: SECRET, jwtTtl: 86_400 })
  await core.operator.createAgent(SHELL, { ...AGENT, balance: 1050 })
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  await core.accounts.createSubUser(await core.accounts.authenticate(token), { ...CUSTOMER, balance: 50 })
  await core.operator.addProduct(SHELL, {
    productNo: 'ISP',
    names: { en: 'Residential ISP', zh: '住宅静态代理' },
    price: 4.5,
  })
  await core.operator.importStock(SHELL, stockFile('ISP', '192.0.2', 30))
  for (const { username, password } of [AGENT, CUSTOMER]) {
    const passwordHash = await fastHash(password)
    await db.write((tx) => tx.account.update({ where: { usernameKey: username }, data: { passwordHash } }))
  }
}
