import { z } from 'zod'
import type { EarningsOfAgent } from '../../core/earnings/earnings-of-agent.ts'
import type { EarningsReport } from '../../core/earnings/earnings-report.ts'
import { EARNING_KINDS, type EarningEntry } from '../../core/earnings/list-earnings.ts'
import { Money, money, Time } from './fields.ts'

const balance = {
  pending: Money.meta({ description: 'A refund may still take it back' }),
  available: Money.meta({
    description: 'Can be moved to the balance, or paid out as far as it is `payable`',
  }),
  owed: Money.meta({
    description: 'Taken back by refunds after it was used: repaid by what becomes available',
  }),
}

/** What an agent has earned and not used (rules 13.3, 13.15). */
export const EarningsBalance = z
  .strictObject({
    ...balance,
    payable: Money.meta({
      description:
        'The part of `available` that can be paid out: what was earned by money that came in, not by money that was given or newly ' +
        'created',
    }),
  })
  .meta({ id: 'EarningsBalance' })

export function toEarningsBalance({ payable, ...rest }: EarningsOfAgent): z.infer<typeof EarningsBalance> {
  return { ...toBalance(rest), payable: money(payable) }
}

function toBalance({ pending, available, owed }: Omit<EarningsOfAgent, 'payable'>) {
  return { pending: money(pending), available: money(available), owed: money(owed) }
}

const sums = {
  earned: Money.meta({ description: 'What sub-users paid above the price of the agent' }),
  taken_back: Money.meta({ description: 'What refunds took back of it' }),
  sales: z.int().meta({ description: 'Orders and renewals by which something was earned' }),
}

/** What an agent has earned between two days (rules 13.7). */
export const EarningsRecord = z
  .strictObject({
    balance: EarningsBalance.meta({ description: 'What there is now' }),
    payout_min: Money.nullable().meta({
      description: 'The least amount of a payout; null: nothing is paid out',
    }),
    start_date: z.string().meta({ description: 'First day, UTC' }),
    end_date: z.string().meta({ description: 'Last day, UTC' }),
    total: z.strictObject(sums).meta({ description: 'Of all these days' }),
    days: z
      .array(z.strictObject({ date: z.string(), ...sums }))
      .meta({ description: 'Days with earnings, the earliest first' }),
    products: z
      .array(z.strictObject({ product_no: z.string(), ...sums }))
      .meta({ description: 'By product, the greatest earnings first' }),
    users: z
      .array(z.strictObject({ user_id: z.int(), username: z.string(), ...sums }))
      .meta({ description: 'By sub-user, the 100 with the greatest earnings' }),
  })
  .meta({ id: 'Earnings' })

type Sums = EarningsReport['total']
const toSums = ({ earned, takenBack, sales }: Sums) => ({
  earned: money(earned),
  taken_back: money(takenBack),
  sales,
})

export function toEarnings(
  report: EarningsReport,
  payoutMin: number | undefined,
): z.infer<typeof EarningsRecord> {
  return {
    balance: toEarningsBalance(report.balance),
    payout_min: payoutMin === undefined ? null : money(payoutMin),
    start_date: report.startDate,
    end_date: report.endDate,
    total: toSums(report.total),
    days: report.days.map((day) => ({ date: day.day, ...toSums(day) })),
    products: report.products.map((product) => ({ product_no: product.productNo, ...toSums(product) })),
    users: report.users.map((user) => ({ user_id: user.userId, username: user.username, ...toSums(user) })),
  }
}

/** A change of what an agent has earned (rules 13.3). */
export const EarningEntryRecord = z
  .strictObject({
    id: z.int(),
    kind: z.enum(EARNING_KINDS).meta({
      description:
        '`earned` by a sale, `matured`: available from then on, `reversed` by a refund, moved `to_balance`, asked for as a `payout`, ' +
        '`payout_returned`: it was refused or cancelled',
    }),
    pending: Money.meta({ description: 'Change of what is pending; signed' }),
    available: Money.meta({ description: 'Change of what is available; signed' }),
    owed: Money.meta({ description: 'Change of what is owed; signed' }),
    after: z.strictObject(balance).meta({ description: 'What there was afterwards' }),
    order_no: z.string().nullable().meta({ description: 'Order of the sale; null: none' }),
    user_id: z.int().nullable().meta({ description: 'Id of the sub-user who bought; null: nobody' }),
    username: z.string().nullable().meta({ description: 'Of this sub-user; null: nobody' }),
    product_no: z.string().nullable().meta({ description: 'What was bought; null: nothing' }),
    payout_no: z.string().nullable().meta({ description: 'Number of the payout; null: none' }),
    created_at: Time,
  })
  .meta({ id: 'EarningEntry' })

export function toEarningEntry(entry: EarningEntry): z.infer<typeof EarningEntryRecord> {
  return {
    id: entry.id,
    kind: entry.kind,
    pending: money(entry.pending),
    available: money(entry.available),
    owed: money(entry.owed),
    after: toBalance({
      pending: entry.pendingAfter,
      available: entry.availableAfter,
      owed: entry.owedAfter,
    }),
    order_no: entry.orderNo,
    user_id: entry.userId,
    username: entry.username,
    product_no: entry.productNo,
    payout_no: entry.payoutNo,
    created_at: entry.createdAt,
  }
}
