import { copyFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { table } from '../src/operator/table.ts'
import { type Database, openDatabase } from '../src/core/database/database.ts'
import { copyToPostgres } from '../src/core/database/postgres/copy.ts'
import { audit } from '../src/core/books/audit.ts'
import { CELLS, cells, logIntoChats, ofShop, prepare, pressInTurn, shareOf, startTelegram } from './bot.ts'
import { startProductOn } from './contender.ts'
import {
  CONNECTIONS,
  type Figures,
  load,
  median,
  ratio,
  type Request,
  ROUND_SECONDS,
  ROUNDS,
  summary,
  untilDone,
  WARM_UP_SECONDS,
} from './load.ts'
import { acceptRequest, readRequest } from './requests.ts'
import { postgresPrograms, type PostgresServer, startPostgres } from './postgres-server.ts'
import { ORDERS, seed, type Seeded } from './seed.ts'
import { processorTime, type ServerProcess, SETTLE_MS } from './server-process.ts'

/** By how much the network delays what the database answers. */
const DELAY_MS = 1
/** Enough for every order of a run, and copied soon. */
const STOCK = 100_000
/** Of the acceptance: beside SQLite, and orders a second with the delay. */
const TARGETS = { share: 0.6, delayedRate: 500 }

/** Of which the median tells how far the database is away. */
const ROUND_TRIPS = 101

/** One shop: a database, and the servers on it. */
interface Shop {
  readonly name: string
  readonly db: Database
  readonly servers: readonly ServerProcess[]
}

/**
 * `npm run bench -- postgres`: what the product makes of requests and of updates of Telegram on PostgreSQL, beside the same on SQLite:
 * with one server and two, and with a network that delays each answer of the database by {@link DELAY_MS}. All get the same load
 * round by round in turn; what was accepted is completed before the next round. PostgreSQL is a server of its own with the settings
 * that it has by default.
 *
 * @param part `acceptance`: nothing but what the targets are for
 * @returns whether the targets were met; also when PostgreSQL is not installed
 */
export async function benchPostgres(
  directory: string,
  jwtSecret: string,
  part: string | undefined,
): Promise<boolean> {
  const programs = postgresPrograms()
  if (!programs) {
    console.log('PostgreSQL is not installed: nothing was measured.')
    return true
  }
  note('seeding')
  const template = join(directory, 'template.db')
  const seeded = await seed(template, jwtSecret)
  const postgres = await startPostgres(programs)
  const network = await postgres.delayed(DELAY_MS)
  const acceptanceOnly = part === 'acceptance'
  const met = await benchRequests(template, directory, jwtSecret, {
    postgres,
    network,
    seeded,
    acceptanceOnly,
  })
  if (!acceptanceOnly) await benchUpdates(template, directory, jwtSecret, { postgres, network })
  const direct = await roundTripMs(postgres.urlOf('postgres'))
  const delayed = await roundTripMs(postgres.urlOf('postgres', network.address))
  console.log(
    `\nA round trip to the database took ${direct.toFixed(2)} ms, and ${delayed.toFixed(2)} ms with the delay.` +
      `\nNode ${process.version}, ${availableParallelism()} CPUs, ${CONNECTIONS} connections, synchronous_commit=on`,
  )
  await postgres.stop()
  return met
}

interface Ways {
  readonly postgres: PostgresServer
  /** Delays the answers. */
  readonly network: ServerProcess
}

async function benchRequests(
  template: string,
  directory: string,
  jwtSecret: string,
  {
    postgres,
    network,
    seeded,
    acceptanceOnly,
  }: Ways & { readonly seeded: Seeded; readonly acceptanceOnly: boolean },
): Promise<boolean> {
  const file = join(directory, 'orders.db')
  copyFileSync(template, file)
  ofShop(file, STOCK)
  await fill(postgres, 'orders', file)
  const telegram = await startTelegram()
  const startOn = async (name: string, url: string): Promise<ServerProcess> =>
    startProductOn(url, join(directory, name), jwtSecret, telegram.environment)
  const shopOn = async (name: string, address: string | undefined, count: number): Promise<Shop> => {
    await postgres.createDatabase(name, 'orders')
    const url = postgres.urlOf(name, address)
    const servers = []
    for (let index = 0; index < count; index += 1) servers.push(await startOn(`${name}-${index}`, url))
    return { name, db: await openDatabase(postgres.urlOf(name)), servers }
  }
  const sqliteUrl = `file:${file}`
  const servers = [await startOn('sqlite', sqliteUrl)]
  const sqlite = { name: 'sqlite', db: await openDatabase(sqliteUrl), servers }
  const one = await shopOn('one', undefined, 1)
  const two = await shopOn('two', undefined, 2)
  const oneDelayed = await shopOn('one_delayed', network.address, 1)
  const twoDelayed = await shopOn('two_delayed', network.address, 2)
  const names = new Map([
    [sqlite, 'SQLite'],
    [one, 'PostgreSQL'],
    [two, 'PostgreSQL, 2 servers'],
    [oneDelayed, `PostgreSQL, ${DELAY_MS} ms away`],
    [twoDelayed, `PostgreSQL, ${DELAY_MS} ms away, 2 servers`],
  ])
  const shops = [...names.keys()]
  await delay(SETTLE_MS)

  note('reading the order list')
  const reads = await measureShops(
    readRequest(seeded),
    acceptanceOnly ? [] : [sqlite, one, oneDelayed],
    postgres,
  )
  note('accepting orders')
  const accepts = await measureShops(acceptRequest(seeded), shops, postgres)
  for (const { servers } of shops) for (const server of servers) await server.stop()
  await telegram.close()
  for (const shop of shops) await checkBooks(shop, figuresOf(accepts, shop).answers)
  for (const { db } of shops) await db.close()

  const rows = [...names].flatMap(([shop, name]) => [
    ...(reads.has(shop) ? [rowOf('order list', name, figuresOf(reads, shop), figuresOf(reads, sqlite))] : []),
    rowOf('order acceptance', name, figuresOf(accepts, shop), figuresOf(accepts, sqlite)),
  ])
  const heading = ['what', 'on', 'req/s', 'p50 ms', 'p99 ms', 'completed s', 'cpu ms', 'ratio']
  console.log(table([heading, ...rows.toSorted(([a = ''], [b = '']) => b.localeCompare(a))]))
  const share = ratio(figuresOf(accepts, one), figuresOf(accepts, sqlite))
  const rate = rateOf(figuresOf(accepts, oneDelayed))
  console.log(
    `\nThe targets of the acceptance are a ratio of ${TARGETS.share} without delay and ${TARGETS.delayedRate} a second with it.`,
  )
  return share >= TARGETS.share && rate >= TARGETS.delayedRate
}

async function benchUpdates(
  template: string,
  directory: string,
  jwtSecret: string,
  { postgres, network }: Ways,
): Promise<void> {
  note('pressing buttons of the bot')
  const file = join(directory, 'bot.db')
  copyFileSync(template, file)
  logIntoChats(file)
  await fill(postgres, 'bot', file)
  const subject = (name: string, url: string) =>
    prepare((environment) => startProductOn(url, join(directory, name), jwtSecret, environment))
  const subjectOn = async (name: string, address?: string) => {
    await postgres.createDatabase(name, 'bot')
    return subject(name, postgres.urlOf(name, address))
  }
  const sqlite = await subject('bot_sqlite', `file:${file}`)
  const direct = await subjectOn('bot_direct')
  const delayed = await subjectOn('bot_delayed', network.address)
  const subjects = [sqlite, direct, delayed]
  await pressInTurn(subjects)
  const names = ['SQLite', 'PostgreSQL', `PostgreSQL, ${DELAY_MS} ms away`]
  console.log(
    table([
      ['what', 'on', ...CELLS, 'ratio'],
      ...subjects.map((each, index) => [
        'bot',
        names[index] ?? '',
        ...cells(each),
        shareOf(each, sqlite).toFixed(2),
      ]),
    ]),
  )
  for (const each of subjects) await each.close()
}

/** Makes a database with what a file holds. */
async function fill(postgres: PostgresServer, name: string, file: string): Promise<void> {
  await postgres.createDatabase(name)
  const url = postgres.urlOf(name)
  await (await openDatabase(url)).close()
  await copyToPostgres(file, url)
}

/** Puts the same load on each shop in turn. */
async function measureShops(
  request: Request,
  shops: readonly Shop[],
  postgres: PostgresServer,
): Promise<Map<Shop, Figures>> {
  const samples = new Map(shops.map((shop) => [shop, [] as Figures['rounds'][number][]]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [shop, list] of samples) {
      const address = shop.servers.map((server) => server.address)
      const processorTimes = () =>
        postgres.processorTime() + sum(shop.servers.map((server) => processorTime(server)))
      const before = processorTimes()
      const seconds = round === 0 ? WARM_UP_SECONDS : ROUND_SECONDS
      const sample = await load(request, { name: shop.name, address }, seconds)
      const completion = await untilDone(shop.name, () => shop.db.read.job.count())
      list.push({ ...sample, completion, cpu: (processorTimes() - before) / sample.answers })
    }
  }
  return new Map([...samples].map(([shop, all]) => [shop, summary(all)]))
}

function figuresOf(figures: ReadonlyMap<Shop, Figures>, shop: Shop): Figures {
  const found = figures.get(shop)
  if (!found) throw new Error(`${shop.name} was not measured`)
  return found
}

function rateOf({ rounds }: Figures): number {
  return median(rounds.map(({ rate }) => rate))
}

function rowOf(what: string, name: string, figures: Figures, sqlite: Figures): string[] {
  const { rounds, completion } = figures
  return [
    what,
    name,
    rateOf(figures).toFixed(0),
    median(rounds.map(({ p50 }) => p50)).toFixed(0),
    median(rounds.map(({ p99 }) => p99)).toFixed(0),
    (completion / 1000).toFixed(1),
    median(rounds.map(({ cpu }) => cpu)).toFixed(2),
    ratio(figures, sqlite).toFixed(2),
  ]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** @throws when the books of a shop are wrong, or lack an order that it has accepted */
async function checkBooks({ name, db }: Shop, accepted: number): Promise<void> {
  const orders = await db.read.staticOrder.count()
  if (orders < ORDERS + accepted)
    throw new Error(`${name} accepted ${accepted} orders and has ${orders - ORDERS}`)
  const differences = await audit({ db })
  if (differences.length > 0)
    throw new Error(`the books of ${name} are wrong: ${JSON.stringify(differences.slice(0, 10))}`)
}

/** The median of some. */
async function roundTripMs(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const times: number[] = []
  for (let index = 0; index < ROUND_TRIPS; index += 1) {
    const begun = performance.now()
    await client.query('SELECT 1')
    times.push(performance.now() - begun)
  }
  await client.end()
  return median(times)
}

function note(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
