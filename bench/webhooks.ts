import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { table } from '../src/operator/table.ts'
import { systemClock } from '../src/core/clock.ts'
import { createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { logIntoChats, prepare, pressInTurn, shareOf } from './bot.ts'
import { startProduct, startProductBot } from './contender.ts'
import { CONNECTIONS, type Entrant, measureEach, median, ratio, untilDone } from './load.ts'
import { acceptRequest } from './requests.ts'
import { seed, type Seeded } from './seed.ts'
import { SETTLE_MS } from './server-process.ts'

const WAITING = 100_000
/** Webhooks, each at a receiver of its own: as many as may have all deliveries under way that the product begins at once. */
const WEBHOOKS = 8
const DELIVERED = 20_000
const ROUNDS = 3
const TARGETS = { orders: 0.97, bot: 0.97, deliveries: 1_000 }

/**
 * `npm run bench -- webhooks`: orders and presses of the bot with {@link WAITING} events that wait for receivers which do not take them,
 * beside the same product without any, round by round in turn; and how many deliveries a second receivers in this process get, from
 * the start of the product to the last row that is written.
 *
 * @returns whether the targets were met
 */
export async function webhooks(directory: string, jwtSecret: string): Promise<boolean> {
  const template = join(directory, 'template.db')
  note('seeding')
  const seeded = await seed(template, jwtSecret)
  const receivers = await Promise.all(Array.from({ length: WEBHOOKS }, receiver))
  await addWebhooks(
    template,
    jwtSecret,
    receivers.map(({ url }) => url),
  )
  const results = [
    await orders(template, directory, jwtSecret, seeded),
    await presses(template, directory, jwtSecret),
    await deliveries(template, directory, jwtSecret, receivers),
  ]
  for (const { close } of receivers) close()
  console.log(
    table([['what', 'without', 'with', 'ratio', 'target', 'met'], ...results.map(({ row }) => row)]),
  )
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} CPUs, ${CONNECTIONS} connections, ${WAITING} waiting events, synchronous=FULL`,
  )
  return results.every(({ met }) => met)
}

async function orders(template: string, directory: string, jwtSecret: string, seeded: Seeded) {
  const start = async (name: string) => (await startProduct(template, directory, jwtSecret, name)).restart()
  const without = await start('orders-without')
  const waiting = join(directory, 'waiting.db')
  new SqliteDatabase(template).exec(`VACUUM INTO '${waiting}'`).close()
  plant(waiting, WAITING, { due: false })
  const loaded = await (await startProduct(waiting, directory, jwtSecret, 'orders-with')).restart()
  await delay(SETTLE_MS)
  note('accepting orders')
  const entrants = [without, loaded].map((contender): Entrant => ({
    contender,
    request: acceptRequest(seeded),
    works: true,
  }))
  const [plain, full] = [...(await measureEach(entrants)).values()]
  for (const contender of [without, loaded]) await contender.stop()
  if (!plain || !full) throw new Error('nothing was measured')
  const rate = ({ rounds }: typeof plain) => median(rounds.map((round) => round.rate)).toFixed(0)
  return compared('orders/s', rate(plain), rate(full), ratio(full, plain), TARGETS.orders)
}

async function presses(template: string, directory: string, jwtSecret: string) {
  note('pressing buttons of the bot')
  const [without, loaded] = [
    await prepare((environment) =>
      startProductBot(template, join(directory, 'a'), jwtSecret, environment, logIntoChats),
    ),
    await prepare((environment) =>
      startProductBot(template, join(directory, 'b'), jwtSecret, environment, (database) => {
        plant(database, WAITING, { due: false })
        logIntoChats(database)
      }),
    ),
  ]
  await pressInTurn([without, loaded])
  for (const subject of [without, loaded]) await subject.close()
  const rate = ({ rounds }: typeof without) => median(rounds.map((round) => round.rate)).toFixed(0)
  return compared('updates/s', rate(without), rate(loaded), shareOf(loaded, without), TARGETS.bot)
}

async function deliveries(
  template: string,
  directory: string,
  jwtSecret: string,
  receivers: readonly Awaited<ReturnType<typeof receiver>>[],
) {
  note('delivering')
  const product = await startProduct(template, directory, jwtSecret, 'deliveries')
  await delay(SETTLE_MS)
  const connection = new SqliteDatabase(product.database, { readonly: true })
  const left = connection
    .prepare<[], number>(`SELECT count(*) FROM webhook_deliveries WHERE status = 'waiting'`)
    .pluck()
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    plant(product.database, DELIVERED, { due: true })
    const ms = await untilDone(product.name, () => left.get())
    rates.push(DELIVERED / (ms / 1000))
  }
  connection.close()
  await product.stop()
  const ids = new Set(receivers.flatMap((each) => [...each.ids]))
  if (ids.size !== ROUNDS * DELIVERED) throw new Error(`${ids.size} deliveries have arrived`)
  const rate = median(rates)
  const met = rate >= TARGETS.deliveries
  return {
    met,
    row: ['deliveries/s', '', rate.toFixed(0), '', String(TARGETS.deliveries), met ? 'yes' : 'no'],
  }
}

function compared(what: string, without: string, loaded: string, share: number, target: number) {
  const met = share >= target
  return { met, row: [what, without, loaded, share.toFixed(2), target.toFixed(2), met ? 'yes' : 'no'] }
}

/** Takes everything at once, and remembers the ids. */
async function receiver() {
  const ids = new Set<string>()
  const server = createServer((request, response) => {
    ids.add(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, ids, close }
}

async function addWebhooks(file: string, jwtSecret: string, urls: readonly string[]): Promise<void> {
  const db = await openDatabase(`file:${file}`)
  const options = { db, clock: systemClock, suppliers: {}, currency: 'USD', jwtSecret, jwtTtl: 86_400 }
  try {
    const core = createCore({ ...options, secretsKey: jwtSecret, loopbackWebhooks: true })
    await core.operator.createAgent(SHELL, { username: 'bench-program', password: 'bench password' })
    const { token } = await core.accounts.logIn({
      username: 'bench-program',
      password: 'bench password',
      address: 'bench',
    })
    const actor = await core.accounts.authenticate(token)
    for (const url of urls) await core.webhooks.create(actor, { url })
  } finally {
    await db.close()
  }
}

/** @param due at once; otherwise half in an hour, as after an attempt that failed, and half behind an earlier event */
function plant(file: string, count: number, { due }: { readonly due: boolean }): void {
  const connection = new SqliteDatabase(file)
  const now = new Date()
  const facts = JSON.stringify({ status: 'active', userId: 7, username: 'bench' })
  const values = {
    count,
    facts,
    now: now.toISOString(),
    later: new Date(now.getTime() + 3_600_000).toISOString(),
  }
  connection
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count),
         first(id) AS (SELECT coalesce(max(id), 0) FROM webhook_deliveries)
       INSERT INTO webhook_deliveries (webhook_id, message_id, type, subject, facts, status, next_at, created_at)
       SELECT (SELECT min(id) FROM webhooks) + n % ${WEBHOOKS}, 'msg_' || (first.id + n), 'sub_user.created', 'sub-user ' || (first.id + n),
         @facts, 'waiting', ${due ? '@now' : 'CASE n % 2 WHEN 0 THEN @later END'}, @now
       FROM numbers, first`,
    )
    .run(values)
  connection.close()
}

function note(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
