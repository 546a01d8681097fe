import { vi } from 'vitest'
import type { OrderKind } from '../../src/emulators/supplier/types.ts'
import { PATIENCE } from './patience.ts'
import type { SuppliedShopToKill } from './supplied-shop-to-kill.ts'

const SENT = '^update "supplier_calls" set "state" = [^,]+, "sent_at"'
const ACCEPTED = '^update "supplier_calls" set "next_at" = [^,]+, "updated_at" = [^,]+, "state"'
const ENDED = '^update "supplier_calls" set "state" = [^,]+, "cost"'
const HANDED_OVER = '^delete from "jobs"'

/** Where a call is when the process ends. */
const STEPS = {
  'before it is marked as sent': { statement: SENT, moment: 'before' },
  'as soon as it is marked as sent': { statement: SENT, moment: 'committed' },
  'while the answer is on its way': 'hangs',
  'before the answer is stored': { statement: ACCEPTED, moment: 'before' },
  'as soon as it is accepted': { statement: ACCEPTED, moment: 'committed' },
  'before its end is stored': { statement: ENDED, moment: 'before' },
  'as soon as it has ended': { statement: ENDED, moment: 'committed' },
  // Other jobs end, too, perhaps before the call is asked for.
  'before its result is handed over': { statement: HANDED_OVER, after: SENT, moment: 'before' },
  'as soon as its result is handed over': { statement: HANDED_OVER, after: SENT, moment: 'committed' },
} as const

export type Step = keyof typeof STEPS
const ALL = Object.keys(STEPS) as readonly Step[]
/** Of a release, which brings nothing that a job would hand over. */
export const STEPS_OF_RELEASE = ALL.slice(0, 7)
/** Of other calls: before the result is handed over, the call has ended. */
export const STEPS_OF_CALL = [...ALL.slice(0, 5), ...ALL.slice(7)]

const METHODS = {
  open: 'instance/open',
  renew: 'instance/renew',
  release: 'instance/release',
  reset: 'instance/reset/password',
} as const

/**
 * Ends the shop at a step of a call, starts it again, and waits until everything is settled.
 *
 * @param cause makes the request that causes the call; its answer may be lost
 * @param count of the calls that the request causes, the first or the second
 */
export async function killAt(
  shop: SuppliedShopToKill,
  step: Step,
  kind: OrderKind,
  cause: () => Promise<unknown>,
  count = 1,
): Promise<void> {
  const place = STEPS[step]
  const killed = place === 'hangs' ? killWhileHanging(shop, kind) : shop.killAt({ ...place, count })
  await Promise.allSettled([cause()])
  await killed()
  await shop.restart()
  await shop.settled()
}

/** Ends the shop when the supplier has carried out a request and does not answer. */
function killWhileHanging(
  { supplier, kill, lookUp }: SuppliedShopToKill,
  kind: OrderKind,
): () => Promise<void> {
  const method = METHODS[kind]
  const before = supplier.requests(method).length
  supplier.faults.add({ on: kind, what: 'hang', carriedOut: true })
  return async () => {
    await vi.waitUntil(async () => {
      await lookUp()
      return supplier.requests(method).length > before
    }, PATIENCE)
    await kill()
  }
}
