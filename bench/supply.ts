import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SHELL } from '../src/core/people/operator.ts'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { table } from '../src/operator/table.ts'
import { systemClock } from '../src/core/clock.ts'
import { createCore } from '../src/core/core.ts'
import { openDatabase, openForReading } from '../src/core/database/database.ts'
import { audit } from '../src/core/books/audit.ts'
import { DRIVERS } from '../src/suppliers/drivers.ts'
import { type Contender, startProduct, startSupplier } from './contender.ts'
import { CONNECTIONS, type Entrant, type Figures, measureEach, median, ratio, type Sample } from './load.ts'
import { acceptRequest } from './requests.ts'
import { seed } from './seed.ts'
import { SETTLE_MS } from './server-process.ts'

const CREDENTIALS = { key: 'bench', secret: 'secret-of-the-benchmark-32-bytes' }
const SUPPLIED = 'SUPPLIED'
const OPEN_CALLS = 10_000
const TARGETS = { supplied: 0.8, openCalls: 0.97 }

/**
 * `npm run bench -- supply`: the acceptance of orders that are bought from a supplier beside that of orders from the own stock, by the
 * same product in turn; and the acceptance from the own stock with {@link OPEN_CALLS} open calls beside that without any. What was
 * accepted is completed before the next round; the supplier is a process of its own. The processor time of an order is that until it
 * is completed.
 *
 * @returns whether the targets were met
 */
export async function supply(directory: string, jwtSecret: string): Promise<boolean> {
  const template = join(directory, 'template.db')
  note('seeding')
  const seeded = await seed(template, jwtSecret)
  const supplier = await startSupplier(template, directory, CREDENTIALS)
  await addSupplied(template, jwtSecret, supplier.address)
  const start = async (name: string) => (await startProduct(template, directory, jwtSecret, name)).restart()
  const product = await start('product')
  // The same load as on the one with open calls, and no other: a process that has done more is faster.
  const without = await start('product-without-calls')
  plantOpenCalls(template)
  const withCalls = await start('product-with-calls')
  await delay(SETTLE_MS)

  const own: Entrant = { contender: product, request: acceptRequest(seeded), works: true }
  const supplied: Entrant = { contender: product, request: acceptRequest(seeded, SUPPLIED), works: true }
  const besideNone: Entrant = { ...own, contender: without }
  const besideCalls: Entrant = { ...own, contender: withCalls }
  note('accepting orders')
  const figures = await measureEach([own, supplied, besideNone, besideCalls])
  const figuresOf = (entrant: Entrant): Figures => {
    const found = figures.get(entrant)
    if (!found) throw new Error(`${entrant.contender.name} was not measured`)
    return found
  }
  for (const contender of [product, without, withCalls, supplier]) await contender.stop()
  for (const contender of [product, without, withCalls]) await checkBooks(contender)

  const results = [
    resultOf('own stock', figuresOf(own)),
    resultOf('from a supplier', figuresOf(supplied), {
      share: ratio(figuresOf(supplied), figuresOf(own)),
      target: TARGETS.supplied,
    }),
    resultOf('own stock, no open calls', figuresOf(besideNone)),
    resultOf(`own stock, ${OPEN_CALLS} open calls`, figuresOf(besideCalls), {
      share: ratio(figuresOf(besideCalls), figuresOf(besideNone)),
      target: TARGETS.openCalls,
    }),
  ]
  const times = ['req/s', 'p50 ms', 'p99 ms', 'cpu ms', 'completed s']
  const heading = ['acceptance', ...times, 'ratio', 'target', 'met']
  console.log(table([heading, ...results.map(({ row }) => row)]))
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} CPUs, ${CONNECTIONS} connections, synchronous=FULL`,
  )
  return results.every(({ met }) => met)
}

/** The connection, and a product of it at the price of the own one. */
async function addSupplied(file: string, jwtSecret: string, url: string): Promise<void> {
  const db = await openDatabase(`file:${file}`)
  try {
    const { operator } = createCore({
      db,
      clock: systemClock,
      suppliers: {},
      drivers: DRIVERS,
      currency: 'USD',
      jwtSecret,
      jwtTtl: 86_400,
    })
    await operator.suppliers.add(SHELL, { name: 'bench', driver: 'ipipv', url, ...CREDENTIALS })
    await operator.suppliers.sync(SHELL, 'bench')
    await operator.addSuppliedProduct(SHELL, {
      productNo: SUPPLIED,
      names: { en: 'Supplied', zh: '供应' },
      supplier: 'bench',
      offers: ['bench'],
      price: 4,
    })
  } finally {
    await db.close()
  }
}

/** Renewals that the supplier works on, to be looked at again in an hour. */
function plantOpenCalls(file: string): void {
  const connection = new SqliteDatabase(file)
  const now = new Date()
  const values = {
    count: OPEN_CALLS,
    now: now.toISOString(),
    later: new Date(now.getTime() + 3_600_000).toISOString(),
  }
  connection
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
       INSERT INTO supplier_calls (call_no, connection_id, kind, state, subject, order_id, request, count, attempts, sent_at, next_at,
         created_at, updated_at)
       SELECT 'open-' || n, (SELECT id FROM supplier_connections), 'renew', 'accepted', 'open-' || n,
         (SELECT id FROM static_orders LIMIT 1), '{}', 1, 1, @now, @later, @now, @now
       FROM numbers`,
    )
    .run(values)
  connection.close()
}

interface Comparison {
  readonly share: number
  readonly target: number
}

function resultOf(what: string, { rounds }: Figures, comparison?: Comparison) {
  const met = comparison === undefined || comparison.share >= comparison.target
  const typical = (value: (sample: Sample) => number, digits = 0) => median(rounds.map(value)).toFixed(digits)
  const row = [
    what,
    typical(({ rate }) => rate),
    typical(({ p50 }) => p50),
    typical(({ p99 }) => p99),
    typical(({ cpu }) => cpu, 2),
    typical(({ completion }) => completion / 1000, 1),
    ...(comparison ? [comparison.share.toFixed(2), comparison.target.toFixed(2), met ? 'yes' : 'no'] : []),
  ]
  return { met, row }
}

/** @throws when the books of a contender are wrong */
async function checkBooks({ name, database }: Contender): Promise<void> {
  const db = openForReading(database)
  const differences = await audit({ db })
  await db.close()
  if (differences.length > 0)
    throw new Error(`the books of ${name} are wrong: ${JSON.stringify(differences.slice(0, 10))}`)
}

function note(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
