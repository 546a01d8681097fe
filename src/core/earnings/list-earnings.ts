import { z } from 'zod'
import { EarningKind } from '../../generated/prisma/enums.ts'
import { type Actor, requireAgent } from '../access/actor.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { allOf, rowsAsJson } from '../database/dialect.ts'
import type { Readable } from '../database/database.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { type Held, Money, record, Time } from '../record.ts'
import { nextTurn } from '../turns.ts'
import { EXPORT_LIMIT } from '../csv.ts'
import { UNUSED_EARNINGS } from './earnings-of-agent.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const EARNING_KINDS = Object.values(EarningKind)
/** Entries per statement of an export; other requests are served between the statements. */
const AT_ONCE = 500

const ENTRY = {
  id: z.int(),
  kind: z.enum(EARNING_KINDS).meta({
    description:
      '`earned` by a sale, `matured`: available from then on, `reversed` by a refund, moved `to_balance`, asked for as a `payout`, ' +
      '`payout_returned`: it was refused or cancelled',
  }),
  pending: Money.meta({ description: 'Change of what is pending; signed' }),
  available: Money.meta({ description: 'Change of what is available; signed' }),
  owed: Money.meta({ description: 'Change of what is owed; signed' }),
  after: record(UNUSED_EARNINGS).meta({ description: 'What there was afterwards' }),
  orderNo: z.string().nullable().meta({ description: 'Order of the sale; null: none' }),
  userId: z.int().nullable().meta({ description: 'Id of the sub-user who bought; null: nobody' }),
  username: z.string().nullable().meta({ description: 'Of this sub-user; null: nobody' }),
  productNo: z.string().nullable().meta({ description: 'What was bought; null: nothing' }),
  payoutNo: z.string().nullable().meta({ description: 'Number of the payout; null: none' }),
  createdAt: Time,
}
/** A change of what an agent has earned (rules 13.3). */
export const EarningEntryRecord = record(ENTRY, { id: 'EarningEntry' })
export type EarningEntry = Held<typeof ENTRY>

export const EARNING_ENTRY_EXAMPLE: EarningEntry = {
  id: 1,
  kind: 'earned',
  pending: 7_200_000,
  available: 0,
  owed: 0,
  after: { pending: 7_200_000, available: 0, owed: 0 },
  orderNo: 'D20261120175700123K7M2P9QX',
  userId: 2,
  username: 'customer',
  productNo: 'DYN-1',
  payoutNo: null,
  createdAt: '2026-11-20T17:57:00.123Z',
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
  const entries = found.items.map(({ pendingAfter, availableAfter, owedAfter, ...entry }) => {
    const after = { pending: pendingAfter, available: availableAfter, owed: owedAfter }
    return { ...entry, after }
  })
  return { items: entries, total: found.total ?? 0 }
}
