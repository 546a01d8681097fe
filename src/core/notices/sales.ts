import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { textPart } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { Micros } from '../money.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { chatsToldOf, CHOSEN } from './concerns.ts'
import type { Sale, SalesFacts } from '../facts/operator-facts.ts'
import { happened } from '../facts/happened.ts'
import { listMuted, writeMuted } from './muted.ts'
import { NAMES } from '../catalog/product-texts.ts'

/** How a chat of those who run the shop is told of sales (rules 14.10): not at all, each within a minute, or once a day. */
export const SALES_MODES = ['off', 'each', 'daily'] as const
export type SalesMode = (typeof SALES_MODES)[number]

const KINDS = { each: 'sales', daily: 'sales_of_day' } as const
/** Maximum number of sales that one message names, the largest ones. */
const NAMED = 10
/** Hour in UTC at which the sales of a day are told. */
const TOLD_AT_HOUR = 8
const DAY_MS = 24 * 60 * 60_000

/** The last ledger entry up to which sales were told, and the time at which they are told next. */
interface Told {
  readonly entry: number
  readonly next: string
}

const settingOf = (mode: keyof typeof KINDS) => `sales_told:${mode}`

/** Reads what a chat has chosen. */
export async function salesMode({ db }: Pick<Essentials, 'db'>, chatId: number): Promise<SalesMode> {
  const chosen = await listMuted(db.read, chatId)
  return SALES_MODES.find((mode) => mode !== 'off' && chosen.includes(CHOSEN[KINDS[mode]])) ?? 'off'
}

/** Chooses how a chat is told of sales, from now on. */
export async function setSalesMode(deps: Essentials, chatId: number, mode: SalesMode): Promise<void> {
  await deps.db.write(async (tx) => {
    // For the first chat, sales count from now on; with others, the next message has all since the last one.
    if (mode !== 'off' && (await chatsToldOf(deps, tx, KINDS[mode])).length === 0)
      await setTold(tx, mode, { entry: await lastEntry(tx), next: nextTime(mode, deps.clock.now()) })
    const marks: readonly string[] = Object.values(CHOSEN)
    const others = (await listMuted(tx, chatId)).filter((each) => !marks.includes(each))
    await writeMuted(tx, deps.clock.now(), chatId, mode === 'off' ? others : [...others, CHOSEN[KINDS[mode]]])
  })
}

/** Sweep of the job loop, once a minute: tells the chats that have chosen it what was sold since the last message, in one message. */
export async function tellSales(deps: Essentials): Promise<void> {
  for (const mode of ['each', 'daily'] as const) await tellSalesOf(deps, mode)
}

async function tellSalesOf(deps: Essentials, mode: keyof typeof KINDS): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const kind = KINDS[mode]
  if ((await chatsToldOf(deps, db.read, kind)).length === 0) return
  const told = await readTold(deps, mode)
  if (!told || now.toISOString() < told.next) return
  const since = { after: told.entry, upTo: await lastEntry(db.read) }
  const data = await soldIn(db.read, since)
  if (data.count === 0 && mode === 'each') return
  await db.write(async (tx) => {
    await setTold(tx, mode, { entry: since.upTo, next: nextTime(mode, now) })
    if (data.count > 0) happened(tx, { kind, subject: String(since.upTo), data })
  })
}

function nextTime(mode: keyof typeof KINDS, now: Date): string {
  if (mode === 'each') return now.toISOString()
  const today = new Date(now)
  today.setUTCHours(TOLD_AT_HOUR, 0, 0, 0)
  return (today > now ? today : new Date(today.getTime() + DAY_MS)).toISOString()
}

async function readTold(deps: Pick<Essentials, 'db'>, mode: keyof typeof KINDS): Promise<Told | undefined> {
  const value = await readSetting(deps, settingOf(mode))
  return value === undefined ? undefined : (JSON.parse(value) as Told)
}

function setTold(tx: Tx, mode: keyof typeof KINDS, told: Told): Promise<void> {
  return writeSetting(tx, settingOf(mode), JSON.stringify(told))
}

async function lastEntry(db: Queryable): Promise<number> {
  const [last] = await findLast(db, {})
  return last?.id ?? 0
}

const findLast = compiled<object>()((db) =>
  db.selectFrom('ledgerEntries').select('id').orderBy('id', 'desc').limit(1),
)

interface Since {
  readonly after: number
  readonly upTo: number
}

async function soldIn(db: Queryable, since: Since): Promise<SalesFacts> {
  const [sum] = await sumOfSales(db, since)
  const largest = await largestSales(db, since)
  return {
    count: sum?.count ?? 0,
    amount: 0 - (sum?.amount ?? 0),
    largest: largest.map(({ source, amount, proxies, bytes, renewed, ...sale }): Sale => {
      const paid: Micros = 0 - amount
      if (source.startsWith(RENEWAL)) return { ...sale, kind: 'renewal', count: renewed, amount: paid }
      return bytes === null
        ? { ...sale, kind: 'order', count: proxies ?? 0, amount: paid }
        : { ...sale, kind: 'traffic', count: bytes, amount: paid }
    }),
  }
}

const RENEWAL = 'renewal:'

/** Sums what was booked for orders and renewals. */
const sumOfSales = compiled<Since>()((db, { after, upTo }) =>
  db
    .selectFrom('ledgerEntries as e')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('e.amount').as('amount')])
    .where('e.id', '>', after)
    .where('e.id', '<=', upTo)
    .where('e.type', '=', 'consumption')
    .where('e.orderNo', 'is not', null),
)

const largestSales = compiled<Since>()((db, { after, upTo }) =>
  db
    .selectFrom('ledgerEntries as e')
    .innerJoin('accounts as u', 'u.id', 'e.accountId')
    .leftJoin('accounts as g', 'g.id', 'u.agentId')
    .leftJoin('staticOrders as o', 'o.orderNo', 'e.orderNo')
    .leftJoin('dynamicOrders as d', 'd.orderNo', 'e.orderNo')
    .innerJoin('products as p', (on) =>
      on.on(({ eb, fn, ref }) => eb('p.id', '=', fn.coalesce(ref('o.productId'), ref('d.productId')))),
    )
    .select(['e.source', 'e.amount', 'u.username', 'g.username as agent', NAMES])
    .select(['o.ipCount as proxies', 'd.trafficBytes as bytes'])
    .select(({ selectFrom, ref }) =>
      selectFrom('renewals as r')
        .innerJoin('renewedInstances as i', 'i.renewalId', 'r.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('r.renewOrderNo', '=', textPart(ref('e.source'), RENEWAL.length + 1))
        .$asScalar()
        .$notNull()
        .as('renewed'),
    )
    .where('e.id', '>', after)
    .where('e.id', '<=', upTo)
    .where('e.type', '=', 'consumption')
    .orderBy('e.amount')
    .orderBy('e.id')
    .limit(NAMED),
)
