import { z } from 'zod'
import { randomText } from '../../../core/ids.ts'
import { canRenew } from '../../../core/orders/renewal-terms.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { type Term, termOf, type Unit } from '../../../core/term.ts'
import { draft } from '../../session/draft.ts'

/** A renewal or release under way, as the chat's draft keeps it. */
const OrderChange = z.object({
  /** Tells its buttons from those of an earlier change, which are stale. */
  id: z.string(),
  /** Replaced after each change, so that only what was shown is done; idempotency key of a renewal. */
  confirmationKey: z.string(),
  act: z.enum(['renew', 'release']),
  orderId: z.int(),
  /** Positions of the picked proxies in the order, from 0. */
  picked: z.array(z.int()),
  /** Position of the proxy from whose screen it began. */
  at: z.int().optional(),
  /** Whether a renewal includes dead proxies. */
  dead: z.boolean().optional(),
  /** Term of a renewal, see `packTerm`. */
  term: z.string().optional(),
  /** The outcome, once it is done. */
  done: z
    .object({
      count: z.int(),
      amount: z.int(),
      balance: z.int(),
      ends: z.array(z.string()),
      /** Whether a renewal waits for the supplier. */
      processing: z.boolean().optional(),
    })
    .optional(),
})

/** Whether a proxy can be renewed now: not while an earlier renewal waits for the supplier. */
export function isRenewable(order: StaticOrder, instance: Instance, now: Date): boolean {
  return canRenew(order, instance, now) && !order.renewing.includes(instance.id)
}

/** Whether a proxy can be released now. */
export function isReleasable(order: StaticOrder, { id, status }: Instance): boolean {
  return status === 'active' && !order.renewing.includes(id)
}

/** The end of a proxy in seconds, as a button names it. */
export function endOf({ expireTime }: Instance): number {
  return Math.floor(Date.parse(expireTime) / 1000)
}

/** The term that the proxies of an order were bought for. */
export function boughtTerm({ duration, unit, cycleTimes }: StaticOrder): Term {
  return termOf(duration, unit as Unit, cycleTimes)
}

export type OrderChange = Readonly<z.output<typeof OrderChange>>

export const changeDraft = draft('life', OrderChange)

/** @param at position of the proxy from whose screen it begins */
export function newChange(
  act: OrderChange['act'],
  orderId: number,
  picked: number[],
  at?: number,
): OrderChange {
  return {
    id: randomText(6),
    confirmationKey: randomText(10),
    act,
    orderId,
    picked,
    ...(at !== undefined && { at }),
  }
}

export function withChanges(change: OrderChange, changes: Partial<OrderChange>): OrderChange {
  return { ...change, ...changes, confirmationKey: randomText(10) }
}
