import { SHELL } from '../../src/core/people/operator.ts'
import type { Funding, Role } from '../../src/generated/prisma/client.ts'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { handle, type Outside } from '../../src/core/job-handlers.ts'
import { type SqliteConnection, SqliteDatabase } from '../../src/core/database/driver.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import type { SecurityLog } from '../../src/core/access/security-log.ts'
import type { Mailer } from '../../src/core/accounts/activation-mail.ts'
import { usernameKey } from '../../src/core/usernames.ts'
import { type Core, type CoreOptions, createCore } from '../../src/core/core.ts'
import { type Database, openDatabase, type Tx } from '../../src/core/database/database.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { DynamicOrderInput } from '../../src/core/orders/dynamic-order-input.ts'
import type { StaticOrderInput } from '../../src/core/orders/static-order-input.ts'
import type { Supplier } from '../../src/core/supply/supplier.ts'
import { knownNetworks } from '../../src/networks/index.ts'
import { TRON } from '../../src/networks/tron/index.ts'
import { createInventory } from '../../src/suppliers/inventory/inventory.ts'
import { atTheEnd } from './clean-up.ts'
import { fastHash } from './fast-hash.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'
import { POSTGRES, postgresDatabase, postgresTemplate, urlOf } from './postgres.ts'

export { type MovableClock, movableClock }

/** Of every account that the fixture makes. */
export const PASSWORD = 'correct horse'
/** With which the gateways of the tests identify themselves. */
export const GATEWAY_TOKEN = 'a-token-of-the-gateways-of-the-tests'
export const JWT_SECRET = 'a secret of the tests, long enough for HS256'
/** Where links in mails lead. */
export const BASE_URL = 'https://shop.example.com/api'
/** On which earnings are paid out. */
export const PAYOUTS = { min: 10_000_000, rate: 2_000_000, isAddress: TRON.isAddress }
const HOUR = 3_600_000

/** Cannot be opened. */
const NO_FILE = '/dev/null/this-service-is-on-postgres'

let migrated: Promise<Buffer> | undefined
let empty: Promise<DatabaseCopier> | undefined
let passwordHash: Promise<string> | undefined

/** Names a copy of a database to {@link urlOf}, a file or a URL on PostgreSQL; it ends with the test. */
export type DatabaseCopier = () => Promise<string>

/** A migrated database of which tests get copies: to migrate and fill it takes a while. */
export async function copiesOf(fill: (db: Database) => Promise<void>): Promise<DatabaseCopier> {
  if (POSTGRES) {
    const template = await postgresTemplate(fill)
    return () => postgresDatabase(template)
  }
  const bytes = await filledFile(fill)
  return () => copyOf(bytes)
}

async function filledFile(fill: (db: Database) => Promise<void> = async () => {}): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'reseller-template-'))
  const path = join(directory, 'template.db')
  const db = await openDatabase(`file:${path}`)
  await fill(db)
  await db.close()
  const bytes = await readFile(path)
  await rm(directory, { recursive: true })
  return bytes
}

async function copyOf(bytes: Buffer): Promise<string> {
  const path = join(await temporaryDirectory(), 'reseller.db')
  await writeFile(path, bytes)
  return path
}

/** A directory that ends with the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'reseller-test-'))
  atTheEnd(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** File of an empty, migrated database that ends with the test. */
export async function databaseFile(): Promise<string> {
  return copyOf(await (migrated ??= filledFile()))
}

/** Names an empty, migrated database that ends with the test, to {@link urlOf}: a file, or a URL on PostgreSQL. */
export async function emptyDatabase(): Promise<string> {
  const copy = await (empty ??= copiesOf(async () => {}))
  return copy()
}

export interface ServiceOptions {
  /** Suppliers besides the inventory, by the name that products carry. */
  readonly suppliers?: Readonly<Record<string, Supplier>>
  readonly clock?: MovableClock
  /** Without one, nobody has to activate an account. */
  readonly mailer?: Mailer
  /** Without it USDT is not taken. */
  readonly topUps?: CoreOptions['topUps']
  readonly operatorChats?: readonly number[]
  /** Without it no backup is made. */
  readonly backups?: CoreOptions['backups']
  readonly payouts?: CoreOptions['payouts']
  /** Without it agents have no bots of their own. */
  readonly agentBots?: CoreOptions['agentBots']
  readonly machine?: CoreOptions['machine']
  readonly securityLog?: SecurityLog
  /** Without it proxies cannot be checked. */
  readonly checks?: CoreOptions['checks']
  /** Without it exits cannot be tried. */
  readonly exitProber?: CoreOptions['exitProber']
  /** The database as the core has it, in the place of the plain one. */
  readonly through?: (db: Database) => Database
  /** Kinds of third parties at which proxies can be bought. */
  readonly drivers?: CoreOptions['drivers']
}

export type Service = Awaited<ReturnType<typeof openService>>

const sent = () => Promise.resolve({ status: 'sent' } as const)

/** People who take everything at once, unless the test says otherwise. */
export function outside(change: Partial<Outside> = {}): Outside {
  const messenger = { tell: sent, tellAboutSubUsers: sent, tellOperator: sent, showProgress: async () => {} }
  return { messenger, refreshScreen: sent, baseUrl: BASE_URL, ...change }
}

/** The service core on a database file of its own, with a clock that the test moves; all of it ends with the test. */
export async function openService({
  suppliers,
  clock = movableClock(),
  mailer,
  topUps,
  operatorChats = [],
  checks,
  exitProber,
  backups,
  payouts = PAYOUTS,
  agentBots,
  machine,
  securityLog = () => {},
  drivers = {},
  through = (database) => database,
}: ServiceOptions = {}) {
  const database = await emptyDatabase()
  const db = await openDatabase(urlOf(database))
  atTheEnd(() => db.close())
  const seen = through(db)
  const start = () =>
    createCore({
      db: seen,
      clock,
      suppliers: { inventory: createInventory(db.read), ...suppliers },
      networks: [...knownNetworks(), ...(topUps?.networks ?? []).map(({ network }) => network)],
      drivers,
      currency: 'USD',
      jwtSecret: JWT_SECRET,
      gatewayToken: GATEWAY_TOKEN,
      loopbackWebhooks: true,
      jwtTtl: 86_400,
      mailer,
      topUps,
      operatorChats,
      checks,
      exitProber,
      backups,
      payouts,
      agentBots,
      machine,
      securityLog,
    })
  const core = start()
  return {
    /** Names the database to {@link urlOf}. */
    database,
    /** File of the database; on PostgreSQL there is none. */
    path: POSTGRES ? NO_FILE : database,
    db,
    clock,
    core,
    /** What a restart of the process would build. */ restarted: start,
    ...helpers(db, core, clock),
  }
}

interface AccountOptions {
  readonly name?: string
  /** In units of the currency. */
  readonly balance?: number
  /** Whether it is money that came in; unless it is given. */
  readonly paid?: boolean
}

function helpers(db: Database, core: Core, clock: MovableClock) {
  let names = 0
  let addresses = 0

  async function account(
    row: { role: Role; level: number | null; funding: Funding | null; agentId: number | null },
    { name, balance = 0, paid = true }: AccountOptions,
  ): Promise<number> {
    passwordHash ??= fastHash(PASSWORD)
    const username = name ?? `${row.role}-${(names += 1)}`
    const times = { createdAt: clock.now(), updatedAt: clock.now() }
    const data = {
      ...row,
      ...times,
      username,
      usernameKey: usernameKey(username),
      passwordHash: await passwordHash,
    }
    // Prisma's models take as long to be made as the rest of the service, which seldom needs them.
    const insert = (tx: Tx) => tx.$kysely.insertInto('accounts').values(data).returning('id')
    const { id } = await db.write((tx) => insert(tx).executeTakeFirstOrThrow())
    if (balance > 0)
      await core.operator.adjustBalance(SHELL, { username, amount: balance, paid, remark: 'opening balance' })
    return id
  }

  /** The actor as a door would make it from a token. */
  async function actor(id: number): Promise<Actor> {
    return db.read.$kysely
      .selectFrom('accounts as account')
      .leftJoin('accounts as agent', 'agent.id', 'account.agentId')
      .where('account.id', '=', id)
      .select(({ fn }) => [
        'account.id',
        'account.username',
        'account.role',
        'account.agentId',
        fn.coalesce('account.level', 'agent.level').as('level'),
      ])
      .executeTakeFirstOrThrow()
  }

  interface AgentOptions extends AccountOptions {
    readonly level?: number
    readonly funding?: 'transfer' | 'mint'
  }

  async function agent({ level = 1, funding = 'transfer', ...rest }: AgentOptions = {}): Promise<Actor> {
    return actor(await account({ role: 'agent', level, funding, agentId: null }, rest))
  }

  async function customer(agent: Actor | null, options: AccountOptions = {}): Promise<Actor> {
    return actor(
      await account({ role: 'user', level: null, funding: null, agentId: agent?.id ?? null }, options),
    )
  }

  type NewProduct = Parameters<Core['operator']['addProduct']>[1]

  /** A monthly product at 1 a piece, unless said otherwise. */
  async function product(
    productNo = 'static',
    options: Partial<NewProduct> & { supplier?: string } = {},
  ): Promise<string> {
    const { supplier, ...rest } = options
    const gateway = rest.pool ? { gateway: 'gw.example.com:8000' } : {}
    await core.operator.addProduct(SHELL, {
      productNo,
      names: { en: 'Static', zh: '静态' },
      price: 1,
      ...gateway,
      ...rest,
    })
    if (supplier)
      await db.write(({ $kysely }) =>
        $kysely.updateTable('products').set({ supplier }).where('productNo', '=', productNo).execute(),
      )
    return productNo
  }

  interface StockOptions {
    readonly country?: string
    readonly state?: string
    readonly city?: string
    readonly cidr?: string
    readonly ips?: readonly string[]
    /** Seats on each address of a shared product. */
    readonly seats?: number
  }

  /** Takes proxies into the stock; answers their addresses. */
  async function stock(productNo: string, count: number, options: StockOptions = {}): Promise<string[]> {
    const { country = 'US', state = '', city = '', cidr = '', seats = 1 } = options
    const ips =
      options.ips ?? Array.from({ length: count }, () => `10.0.${(addresses += 1) >> 8}.${addresses & 255}`)
    const lines = ips.flatMap((ip) =>
      Array.from({ length: seats }, (_, seat) =>
        [productNo, ip, 8000 + seat, `u${seat}`, 'secret', country, state, city, cidr].join(','),
      ),
    )
    await core.operator.importStock(
      SHELL,
      ['product_no,ip,port,username,password,country_code,state,city_code,cidr', ...lines].join('\n'),
    )
    return [...ips]
  }

  /** One IP for a month, unless said otherwise. */
  function order(buyer: Actor, change: Partial<StaticOrderInput> = {}) {
    return core.orders.createStatic(buyer, {
      poolId: 'static',
      userId: buyer.id,
      ipCount: 1,
      duration: 1,
      unit: 3,
      ...change,
    })
  }

  /** 1 GB of the product `traffic`, unless said otherwise. */
  function buyTraffic(buyer: Actor, change: Partial<DynamicOrderInput> = {}) {
    return core.orders.createDynamic(buyer, { poolId: 'traffic', trafficAmount: 1, ...change })
  }

  /** What the background loop does, until nothing is due; jobs that are to be repeated later wait for the clock. */
  async function runJobs(): Promise<void> {
    const { queue } = core.jobs
    await core.jobs.sweepStaticOrders()
    const handlers = core.jobs.handlers(outside())
    for (;;) {
      const jobs = await queue.claim(32, HOUR)
      if (jobs.length === 0) return
      await Promise.all(
        jobs.map(async (job) => {
          const again = await handle(handlers, job)
          if (again)
            await queue.retryLater(
              job,
              new Date(clock.now().getTime() + (again.retryAfterMs ?? HOUR)),
              'again',
            )
        }),
      )
    }
  }

  return {
    agent,
    customer,
    product,
    stock,
    order,
    buyTraffic,
    runJobs,
    /** In units of the currency. */
    balance: async ({ id }: Actor) => {
      const { balance } = await db.read.$kysely
        .selectFrom('accounts')
        .select('balance')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return balance / 1e6
    },
    entries: ({ id }: Actor) =>
      db.read.$kysely
        .selectFrom('ledgerEntries')
        .selectAll()
        .where('accountId', '=', id)
        .orderBy('id')
        .execute(),
    /** Proves the books. */
    audited: async () => expect(await core.operator.audit()).toEqual([]),
  }
}

/** Expects a refusal with this code. */
export async function refused(attempt: Promise<unknown>, code: ErrorCode, data?: object): Promise<void> {
  await expect(attempt).rejects.toMatchObject({ code, ...(data ? { data } : {}) })
}

/** How many attempts were refused with which code; the rest is counted as `ok`. Anything that is no refusal is thrown. */
export function tally(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const code = result.status === 'fulfilled' ? 'ok' : (result.reason as { code?: ErrorCode }).code
    if (code === undefined || (result.status === 'rejected' && result.reason.name !== 'ServiceError')) {
      throw result.status === 'rejected' ? result.reason : new Error('unreachable')
    }
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}

/** A plain connection to the same file, beside the service: what another process would have. */
export function otherConnection(path: string): SqliteConnection {
  const connection = new SqliteDatabase(path)
  atTheEnd(() => connection.close())
  return connection
}
