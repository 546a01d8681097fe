import { z } from 'zod'
import { EarningKind } from '../../generated/prisma/client.ts'
import { type Actor, requireAgent } from '../access/actor.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { allOf, rowsAsJson } from '../database/dialect.ts'
import type { Readable } from '../database/database.ts'
import { parseInput } from '../errors.ts'
import type { Micros } from '../money.ts'
import { type Page, paging } from '../page.ts'
import { nextTurn } from '../turns.ts'
import { EXPORT_LIMIT } from '../csv.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const EARNING_KINDS = Object.values(EarningKind)
/** Entries per statement of an export; other requests are served between the statements. */
const AT_ONCE = 500

/** A change of what an agent has earned (rules 13.3); amounts are signed. */
export interface EarningEntry {
  readonly id: number
  readonly kind: EarningKind
  readonly pending: Micros
  readonly available: Micros
  readonly owed: Micros
  readonly pendingAfter: Micros
  readonly availableAfter: Micros
  readonly owedAfter: Micros
  /** Order, buyer and product of a sale; else null. */
  readonly orderNo: string | null
  readonly userId: number | null
  readonly username: string | null
  readonly productNo: string | null
  /** Number of a payout; else null. */
  readonly payoutNo: string | null
  readonly createdAt: string
}

export const EarningFilter = z
  .object({
    ...paging,
    kind: z.enum(EARNING_KINDS).optional(),
    /** Earnings by this sub-user only. */
    userId: z.int().positive().optional(),
    /** Days in UTC, both inclusive. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

type Filter = z.output<typeof EarningFilter>

/**
 * Lists the changes of what an agent has earned, newest first (rules 13.7).
 *
 * @throws agent_required, validation_error
 */
export async function listEarnings(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof EarningFilter> = {},
): Promise<Page<EarningEntry>> {
  requireAgent(actor)
  const filter = parseInput(EarningFilter, input)
  const { items, total } = await readPage(db.read, actor.id, filter)
  return { items, total, page: filter.page, pageSize: filter.pageSize }
}

/**
 * Reads all entries of a filter for a file, newest first; of more than 20,000 the newest ones, while `total` counts all.
 *
 * @throws agent_required, validation_error
 */
export async function exportEarnings(
  { db }: Essentials,
  actor: Actor,
  input: Omit<z.input<typeof EarningFilter>, 'page' | 'pageSize'> = {},
): Promise<Pick<Page<EarningEntry>, 'items' | 'total'>> {
  requireAgent(actor)
  const filter = { ...parseInput(EarningFilter, input), pageSize: AT_ONCE }
  const items: EarningEntry[] = []
  for (;;) {
    const { items: batch, total } = await readPage(db.read, actor.id, filter, items.at(-1)?.id)
    items.push(...batch)
    if (batch.length < AT_ONCE) return { items, total: items.length }
    if (items.length >= EXPORT_LIMIT) return { items, total: total + items.length - batch.length }
    await nextTurn()
  }
}

/** @param before id of the entry after which the page begins, instead of an offset */
async function readPage({ $kysely }: Readable, agentId: number, filter: Filter, before?: number) {
  const { page, pageSize, kind, userId, startDate, endDate } = filter
  const wanted = $kysely
    .selectFrom('earningEntries as n')
    .leftJoin('earnings as e', 'e.id', 'n.earningId')
    .where('n.agentId', '=', agentId)
    .where(({ eb }) =>
      allOf([
        ...(kind === undefined ? [] : [eb('n.kind', '=', kind)]),
        ...(userId === undefined ? [] : [eb('e.userId', '=', userId)]),
        ...(startDate === undefined ? [] : [eb('n.createdAt', '>=', startDate)]),
        ...(endDate === undefined ? [] : [eb('n.createdAt', '<', endOf(endDate))]),
        ...(before === undefined ? [] : [eb('n.id', '<', before)]),
      ]),
    )
  const items = wanted
    .leftJoin('accounts as u', 'u.id', 'e.userId')
    .leftJoin('products as p', 'p.id', 'e.productId')
    .leftJoin('payouts as x', 'x.id', 'n.payoutId')
    .select(['n.id', 'n.kind', 'n.pending', 'n.available', 'n.owed'])
    .select(['n.pendingAfter', 'n.availableAfter', 'n.owedAfter', 'n.createdAt'])
    .select(['e.orderNo', 'e.userId', 'u.username', 'p.productNo', 'x.payoutNo'])
    .orderBy('n.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  // One statement for count and rows: they belong to the same moment.
  const found = await $kysely
    .selectNoFrom(({ fn }) => [
      wanted.select(fn.countAll<number>().as('total')).as('total'),
      rowsAsJson(items, 'id desc').as('items'),
    ])
    .executeTakeFirstOrThrow()
  return { items: found.items, total: found.total ?? 0 }
}
