/**
 * npm run bench [-- --strict]: how much of what this machine can do is left when the product does it.
 *
 * The product runs as `npm start` runs it, its log and background loop included, and completes the orders that it accepts.
 * Its floor is node:http with hand-written SQL (`floor-server.ts`): the same token check, the same effects in the same
 * schema and the same bytes as answers, but no validation, no log and nobody who completes the orders. Each has its own copy
 * of one database (10,000 orders) and gets the same load from 32 connections, round by round in turn, so that whatever else
 * the machine does meets all of them.
 *
 * How to read the table: the figures are medians of the rounds; so are the ratios, each round of the product with that of the
 * floor beside it. Only the ratios mean something on another machine. `req/s` are those of saturation, so that the latencies
 * show the queue of 32 requests. A missed target may be a noisy neighbour's fault, and fails the run with `--strict` only.
 * What fails it always: an answer other than 2xx, other bytes than the floor's, an accepted order that is not in the database,
 * books that do not balance.
 *
 * The bot is measured beside a bare grammY bot that sends as much (`bot.ts`), in updates a second and by the time from a press to its
 * answer; `npm run bench -- bot` measures nothing else.
 *
 * npm run bench -- --compare REVISION: the product of another commit beside today's, see `compare.ts`; fails where something fell.
 *
 * npm run bench -- scale [--strict] [--audit]: what a million entries of the ledger cost, see `scale.ts`.
 *
 * npm run bench -- supply [--strict]: what buying from a supplier costs beside the own stock, see `supply.ts`.
 *
 * npm run bench -- abuse [--strict]: what strangers do to it without a log-in, see `abuse.ts`.
 *
 * npm run bench -- gateway [--strict]: what the gateway gets out of a second of processor time, see `gateway.ts`.
 *
 * npm run bench -- bots [--strict]: what 200 bots of agents cost beside one, see `bots.ts`.
 *
 * npm run bench -- webhooks [--strict]: what waiting events cost, and how fast they are delivered, see `webhooks.ts`.
 *
 * npm run bench -- postgres [acceptance] [--strict]: what it makes of the same on PostgreSQL, see `postgres.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { table } from '../src/operator/table.ts'
import { openForReading } from '../src/core/database/database.ts'
import { audit } from '../src/core/books/audit.ts'
import { abuse } from './abuse.ts'
import { compareAnswers } from './answers.ts'
import { compare } from './compare.ts'
import { benchBot } from './bot.ts'
import { bots } from './bots.ts'
import { type Contender, startFloor, startProduct } from './contender.ts'
import { benchGateway } from './gateway.ts'
import { CONNECTIONS, type Figures, measure, median, ratio } from './load.ts'
import { benchPostgres } from './postgres.ts'
import { acceptRequest, readRequest } from './requests.ts'
import { scale } from './scale.ts'
import { ORDERS, seed, type Seeded } from './seed.ts'
import { residentMb, SETTLE_MS } from './server-process.ts'
import { supply } from './supply.ts'
import { webhooks } from './webhooks.ts'

const [, , PART, DETAIL] = process.argv
const TIME_LIMITS_MS: Readonly<Record<string, number>> = {
  '--compare': 900_000,
  abuse: 900_000,
  postgres: 1_200_000,
  supply: 900_000,
  webhooks: 900_000,
}
const TIME_LIMIT_MS = TIME_LIMITS_MS[PART ?? ''] ?? 480_000
const JWT_SECRET = 'the secret of the benchmark, which opens nothing else'
/** Of a shop that exists: the first start of a sandbox makes its demo data, too. */
const START_TARGETS = { ms: 1_000, rssMb: 170 }
/** What was reached before. */
const TARGETS = { read: 1.05, acceptEach: 1.7, acceptGroup: 0.8 }

/** @returns whether every target was met */
async function bench(directory: string): Promise<boolean> {
  if (PART === '--compare') {
    if (DETAIL === undefined) throw new Error('--compare needs a revision, such as HEAD~1')
    return compare(directory, DETAIL, JWT_SECRET)
  }
  if (PART === 'abuse') return abuse(directory, JWT_SECRET)
  if (PART === 'bots') return bots(directory, JWT_SECRET)
  if (PART === 'gateway') return benchGateway(directory)
  if (PART === 'postgres') return benchPostgres(directory, JWT_SECRET, DETAIL)
  if (PART === 'scale') return scale(directory, JWT_SECRET)
  if (PART === 'supply') return supply(directory, JWT_SECRET)
  if (PART === 'webhooks') return webhooks(directory, JWT_SECRET)
  const template = join(directory, 'template.db')
  note(`seeding ${ORDERS} orders`)
  const seeded = await seed(template, JWT_SECRET)
  const met = PART === 'bot' || (await benchApi(template, directory, seeded))
  note('pressing buttons of the bot')
  return (await benchBot(template, directory, JWT_SECRET)) && met
}

async function benchApi(template: string, directory: string, seeded: Seeded): Promise<boolean> {
  const read = readRequest(seeded)
  const accept = acceptRequest(seeded)
  const product = await (await startProduct(template, directory, JWT_SECRET)).restart()
  await delay(SETTLE_MS)
  const rss = residentMb(product)
  const each = await startFloor('each', template, directory, JWT_SECRET)
  const group = await startFloor('group', template, directory, JWT_SECRET)
  const contenders = [product, each, group]
  for (const request of [read, accept]) await compareAnswers(request, contenders)
  note('reading the order list')
  const reads = await measure(read, [product, each])
  note('accepting orders')
  const accepts = await measure(accept, contenders, product)
  for (const contender of contenders) {
    await contender.stop()
    await checkBooks(contender, figuresOf(accepts, contender).answers)
  }

  const completion = figuresOf(accepts, product).completion / 1000
  const results = [
    result('order list', figuresOf(reads, product), figuresOf(reads, each), 'node:http + SQL', TARGETS.read),
    result(
      'order acceptance',
      figuresOf(accepts, product),
      figuresOf(accepts, each),
      'a commit each',
      TARGETS.acceptEach,
    ),
    result(
      'order acceptance',
      figuresOf(accepts, product),
      figuresOf(accepts, group),
      'group commit',
      TARGETS.acceptGroup,
    ),
  ]
  const heading = ['what', 'who', 'req/s', 'p50 ms', 'p99 ms', 'ratio', 'target', 'met']
  console.log(table([heading, ...results.flatMap(({ rows }) => rows)]))
  console.log(
    `\nAll accepted orders were completed at the latest ${completion.toFixed(1)} s after the load ended.`,
  )
  console.log(
    `The product was up ${(product.started / 1000).toFixed(1)} s after its start, and had ${rss.toFixed(0)} MB in memory then; the targets are ${START_TARGETS.ms / 1000} s and ${START_TARGETS.rssMb} MB.`,
  )
  console.log(
    `Node ${process.version}, ${availableParallelism()} CPUs, ${CONNECTIONS} connections, synchronous=FULL`,
  )
  const startMet = product.started <= START_TARGETS.ms && rss <= START_TARGETS.rssMb
  return startMet && results.every(({ met }) => met)
}

function result(what: string, product: Figures, floor: Figures, floorName: string, target: number) {
  const share = ratio(product, floor)
  const met = share >= target
  const cells = ({ rounds }: Figures) => [
    median(rounds.map(({ rate }) => rate)).toFixed(0),
    median(rounds.map(({ p50 }) => p50)).toFixed(0),
    median(rounds.map(({ p99 }) => p99)).toFixed(0),
  ]
  const verdict = [share.toFixed(2), target.toFixed(2), met ? 'yes' : 'no']
  return {
    met,
    rows: [
      [what, `floor, ${floorName}`, ...cells(floor), '1.00', '', ''],
      [what, 'product', ...cells(product), ...verdict],
    ],
  }
}

function figuresOf(figures: Map<Contender, Figures>, contender: Contender): Figures {
  const found = figures.get(contender)
  if (!found) throw new Error(`${contender.name} was not measured`)
  return found
}

/** @throws when the books of a contender are wrong, or lack an order that it has accepted */
async function checkBooks({ name, database }: Contender, accepted: number): Promise<void> {
  const connection = new SqliteDatabase(database, { readonly: true })
  const orders = connection.prepare<[], number>('SELECT count(*) FROM static_orders').pluck().get() ?? 0
  connection.close()
  if (orders < ORDERS + accepted)
    throw new Error(`${name} accepted ${accepted} orders and has ${orders - ORDERS}`)
  const db = openForReading(database)
  const differences = await audit({ db })
  await db.close()
  if (differences.length > 0)
    throw new Error(`the books of ${name} are wrong: ${JSON.stringify(differences.slice(0, 10))}`)
}

function note(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

const directory = mkdtempSync(join(tmpdir(), 'reseller-bench-'))
// The contenders end with this process, see server-process.ts.
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
setTimeout(() => {
  note(`not done after ${TIME_LIMIT_MS / 1000} s`)
  process.exit(1)
}, TIME_LIMIT_MS)

bench(directory).then(
  (met) => process.exit(!met && (PART === '--compare' || process.argv.includes('--strict')) ? 1 : 0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
