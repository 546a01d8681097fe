import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { calendarDay, dayOf, daysAgo, endOf, inOrder } from '../calendar-day.ts'
import { textPart, rowsAsJson } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { parseInput } from '../errors.ts'
import { LAST_DAYS } from '../periods.ts'
import { type Held, Money, record } from '../record.ts'
import { EARNED_SUMS, EARNING_CHANGES } from './earned-sums.ts'
import { EARNINGS_OF_AGENT, EarningsBalance } from './earnings-of-agent.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES } from '../catalog/product-texts.ts'
import type { Translations } from '../translations.ts'

/** Maximum number of sub-users that a report names. */
const NAMED_USERS = 100
const DAY_DIGITS = 10

export const EarningsPeriod = z
  .object({
    /** Days in UTC, both inclusive; by default the last 30, today included. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

const EARNED = {
  earned: Money.meta({ description: 'What sub-users paid above the price of the agent' }),
  takenBack: Money.meta({ description: 'What refunds took back of it' }),
  sales: z.int().meta({ description: 'Orders and renewals by which something was earned' }),
}

/** Fields shown of what an agent has earned in a period (rules 13.7). */
export const EARNINGS_REPORT = {
  balance: EarningsBalance.meta({ description: 'What there is now' }),
  startDate: z.string().meta({ description: 'First day, UTC' }),
  endDate: z.string().meta({ description: 'Last day, UTC' }),
  total: record(EARNED).meta({ description: 'Of all these days' }),
  days: record({ day: z.string(), ...EARNED }, { names: { day: 'date' } })
    .array()
    .meta({ description: 'Days with earnings, the earliest first' }),
  products: record({ productNo: z.string(), ...EARNED })
    .array()
    .meta({ description: 'By product, the greatest earnings first' }),
  users: record({ userId: z.int(), username: z.string(), ...EARNED })
    .array()
    .meta({ description: 'By sub-user, the 100 with the greatest earnings' }),
}

type ShownReport = Held<typeof EARNINGS_REPORT>
export interface EarningsReport extends ShownReport {
  readonly products: readonly (ShownReport['products'][number] & {
    readonly names: Translations
  })[]
}

/**
 * Reports what an agent has earned by day, product and sub-user (rules 13.7). Earnings count on the day on which they were booked,
 * what refunds took back on the day of the refund. All figures are from one snapshot.
 *
 * @throws agent_required, validation_error
 */
export async function earningsReport(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof EarningsPeriod> = {},
): Promise<EarningsReport> {
  requireAgent(actor)
  const { startDate: from, endDate = dayOf(clock.now()) } = parseInput(EarningsPeriod, input)
  const startDate = from ?? daysAgo(new Date(endDate), LAST_DAYS - 1)
  const found = await findReport(db.read, { agentId: actor.id, from: startDate, until: endOf(endDate) })
  if (!found) throw new Error(`account ${actor.id} does not exist`)
  const { days, products, users, ...balance } = found
  const sum = (part: keyof typeof EARNED) => days.reduce((total, day) => total + day[part], 0)
  const total = { earned: sum('earned'), takenBack: sum('takenBack'), sales: sum('sales') }
  return { startDate, endDate, balance, total, days, products, users }
}

interface Wanted {
  readonly agentId: number
  readonly from: string
  readonly until: string
}

function findReport({ $kysely }: Queryable, wanted: Wanted) {
  const changes = () => changesOf($kysely, wanted)
  const days = changes()
    .select(({ ref }) => textPart(ref('n.createdAt'), 1, DAY_DIGITS).as('day'))
    .groupBy('day')
  const products = changes()
    .innerJoin('products as p', 'p.id', 'e.productId')
    .select(['p.productNo', NAMES])
    .groupBy('p.id')
  const users = changes()
    .innerJoin('accounts as u', 'u.id', 'e.userId')
    .select(['u.id as userId', 'u.username'])
    .groupBy('u.id')
    .orderBy('earned', 'desc')
    .orderBy('u.id')
    .limit(NAMED_USERS)
  return $kysely
    .selectFrom('accounts')
    .select(EARNINGS_OF_AGENT)
    .select([
      rowsAsJson(days, 'day').as('days'),
      rowsAsJson(products, ['earned desc', 'productNo']).as('products'),
      rowsAsJson(users, ['earned desc', 'userId']).as('users'),
    ])
    .where('id', '=', wanted.agentId)
    .executeTakeFirst()
}

/** Selects the sums over entries `n` of earnings `e` that were booked or taken back in a period. */
function changesOf($kysely: Queryable['$kysely'], { agentId, from, until }: Wanted) {
  return $kysely
    .selectFrom('earningEntries as n')
    .innerJoin('earnings as e', 'e.id', 'n.earningId')
    .select(EARNED_SUMS)
    .where('n.agentId', '=', agentId)
    .where('n.createdAt', '>=', from)
    .where('n.createdAt', '<', until)
    .where('n.kind', 'in', EARNING_CHANGES)
}
