import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { valuesAsJson } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { nextTurn } from '../turns.ts'
import { readStaticOrder } from './find-static-order.ts'
import { ofOneSupplierOrder, priceRenewal } from './renewal-terms.ts'
import { type ExpirySpan, renewalOf, renewsWithin, selfRenewing } from './self-renewing.ts'

/** The automatic renewal of the proxies of one order that expire at the same time and came with the same supplier order. */
interface UpcomingRenewal {
  readonly expireTime: string
  readonly amount: Micros
}

/** Whether a balance covers the automatic renewals of a span. */
export interface Outlook {
  readonly balance: Micros
  /** What all renewals of the span cost, at today's prices. */
  readonly needed: Micros
  /** Expiry time of the first proxies that the balance does not cover; undefined when it covers all. */
  readonly unpaidFrom: string | undefined
  /** What the balance lacks for all that renews itself up to an expiry time; undefined when it lacks nothing. */
  shortfallUpTo(expireTime: string): Micros | undefined
}

/** Calculates whether a user's balance covers the automatic renewals of a span. Other requests are served between its orders. */
export async function renewalOutlook(
  db: Readable,
  now: Date,
  userId: number,
  span: ExpirySpan,
): Promise<Outlook> {
  const [user] = await readRenewing(db, { userId, ...span })
  const { balance = 0, orders = [] } = user ?? {}
  const renewals: UpcomingRenewal[] = []
  for (const orderNo of orders) {
    await nextTurn()
    renewals.push(...(await renewalsOf(db, now, orderNo, span)))
  }
  let needed = 0
  const steps = renewals
    .toSorted((a, b) => a.expireTime.localeCompare(b.expireTime))
    .map(({ expireTime, amount }) => ({ expireTime, needed: (needed += amount) }))
  return {
    balance,
    needed,
    unpaidFrom: steps.find((step) => step.needed > balance)?.expireTime,
    shortfallUpTo: (expireTime) => {
      const last = steps.findLast((step) => step.expireTime <= expireTime)
      return last && last.needed > balance ? last.needed - balance : undefined
    },
  }
}

const readRenewing = compiled<ExpirySpan & { userId: number }>()((db, { userId, after, until }) =>
  db
    .selectFrom('accounts as u')
    .select('u.balance')
    .select(({ selectFrom }) => {
      const renewing = selectFrom('instances as i')
        .select('i.orderId')
        .whereRef('i.userId', '=', 'u.id')
        .where(renewsWithin({ after, until }))
      return valuesAsJson(
        selectFrom('staticOrders as o').select('o.orderNo').where('o.id', 'in', renewing),
      ).as('orders')
    })
    .where('u.id', '=', userId),
)

/** Prices the proxies that are renewed together. What cannot be renewed is left out. */
async function renewalsOf(
  db: Readable,
  now: Date,
  orderNo: string,
  span: ExpirySpan,
): Promise<UpcomingRenewal[]> {
  const order = await readStaticOrder(db, orderNo)
  if (!order) return []
  const renewals: UpcomingRenewal[] = []
  let left = await selfRenewing(db, order, span)
  while (left[0]) {
    const { expireTime } = left[0]
    const together = new Set(ofOneSupplierOrder(left).filter((each) => each.expireTime === expireTime))
    left = left.filter((each) => !together.has(each))
    try {
      const { amount } = await priceRenewal(db, now, {
        order,
        ...(await renewalOf(db, order, [...together])),
      })
      renewals.push({ expireTime, amount })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }
  return renewals
}
