import { z } from 'zod'
import { isDead } from '../../../core/checks/health.ts'
import { randomText } from '../../../core/ids.ts'
import type { RenewableProxy } from '../../../core/orders/renewable-proxies.ts'
import { packTerm, termsOf } from '../../kit/terms.ts'
import { draft } from '../../session/draft.ts'

/** A selection of proxies of one user to be changed together, as the chat's draft keeps it. */
const Selection = z.object({
  /** Tells its buttons from those of an earlier selection, which are stale. */
  id: z.string(),
  /** Changes with each change of the selection; idempotency key: only what was shown is renewed, and only once. */
  confirmationKey: z.string(),
  userId: z.int(),
  /** Name of the sub-user whose proxies they are. */
  ofUser: z.string().optional(),
  /** Filters of the proxies to choose from: id of a product, code of a country. */
  product: z.int().optional(),
  country: z.string().optional(),
  /** Ids of the chosen proxies. */
  chosen: z.array(z.int()),
  /** Numbers of the chosen proxies that the price on the screen is for. */
  quoted: z.array(z.string()),
  /** Term of the renewal, see `packTerm`; without it, each proxy is renewed as it was bought. */
  term: z.string().optional(),
  /** The outcome of the renewal, once it is done. */
  done: z
    .object({
      count: z.int(),
      amount: z.int(),
      balance: z.int(),
      /** New ends: the first and the last. */
      ends: z.array(z.string()),
      /** Number of proxies that waited for their supplier, the numbers of their renewals, and since when. */
      waiting: z.int(),
      renewals: z.array(z.string()).default([]),
      since: z.string().default(''),
    })
    .optional(),
})

export type Selection = Readonly<z.output<typeof Selection>>

export const selectionDraft = draft('selection', Selection)

export function newSelection(
  of: Pick<Selection, 'userId' | 'ofUser' | 'product' | 'country'>,
  chosen: readonly number[],
): Selection {
  return { ...of, id: randomText(6), confirmationKey: randomText(10), chosen: [...chosen], quoted: [] }
}

export function changedSelection(selection: Selection, changes: Partial<Selection>): Selection {
  return { ...selection, ...changes, confirmationKey: randomText(10) }
}

const SOON_MS = 7 * 86_400_000

/** Returns a test for proxies that end within a week, do not renew themselves, and are not dead. */
export function endsSoon(now: Date): (proxy: RenewableProxy) => boolean {
  const soon = new Date(now.getTime() + SOON_MS).toISOString()
  return (proxy) => !proxy.autoRenew && proxy.expireTime <= soon && !isDead(proxy)
}

export function chosenBy(
  by: 'soon' | 'all' | 'none',
  proxies: readonly RenewableProxy[],
  now: Date,
): number[] {
  if (by === 'none') return []
  return (by === 'all' ? proxies : proxies.filter(endsSoon(now))).map(({ id }) => id)
}

/** Codes of the terms for which all of some proxies can be renewed. */
export function commonTerms(proxies: readonly RenewableProxy[]): string[] {
  const [first, ...others] = new Map(
    proxies.map((proxy) => [proxy.productId, termsOf(proxy).map(packTerm)]),
  ).values()
  return (first ?? []).filter((code) => others.every((codes) => codes.includes(code)))
}
