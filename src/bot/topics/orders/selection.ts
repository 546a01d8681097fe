import { z } from 'zod'
import { isDead } from '../../../core/checks/health.ts'
import { randomText } from '../../../core/ids.ts'
import type { RenewableProxy } from '../../../core/orders/renewable-proxies.ts'
import { packTerm, termsOf } from '../../kit/terms.ts'
import { draft } from '../../session/draft.ts'

/** Many proxies of one user with whom something is done at once, as the chat's draft keeps them. */
const Selection = z.object({
  /** Buttons of another one are old. */
  id: z.string(),
  /** Another one after each change: what is renewed is what was shown, and pressing twice renews once. */
  confirmationKey: z.string(),
  userId: z.int(),
  /** Name of the sub-user whose proxies they are. */
  ofUser: z.string().optional(),
  /** What there is to choose from: those of a product (its id), those in a country. */
  product: z.int().optional(),
  country: z.string().optional(),
  /** Ids of proxies. */
  chosen: z.array(z.int()),
  /** Numbers of those of them that the price on the screen is for. */
  quoted: z.array(z.string()),
  /** For how long, see `packTerm`; without it, each as it was bought. */
  term: z.string().optional(),
  /** What came of the renewal. */
  done: z
    .object({
      count: z.int(),
      amount: z.int(),
      balance: z.int(),
      /** New ends: the first and the last. */
      ends: z.array(z.string()),
      /** How many wait for their supplier. */
      waiting: z.int(),
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

/** Ends within a week, does not renew itself, and is not dead. */
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
