import { z } from 'zod'
import { randomText } from '../../../core/ids.ts'
import type { StaticOrderInput } from '../../../core/orders/static-order-input.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import { termOf, type Unit } from '../../../core/term.ts'
import { type Step, STEPS } from '../../actions/buy.ts'
import { durationOf, packTerm, unpackTerm } from '../../kit/terms.ts'
import { draft } from '../../session/draft.ts'

/** Name of the conversation of a purchase. */
export const BUYING = 'buy'

/** State of the conversation: the purchase of the screen, and what the screen asks for. */
export interface At {
  readonly id: string
  /** Undefined where the input tells by itself what it is: on the screens of the purchase, of places and of terms. */
  readonly asks?: 'project' | 'promo' | 'range'
  /** The range for which a number is asked. */
  readonly range?: string
}

const Block = z.object({ cidr: z.string(), count: z.int().min(1) })

/** The wanted proxies: a number of any, a number from each range, or exactly these addresses. */
const Wanted = z.union([
  z.object({ count: z.int().min(1) }),
  z.object({ blocks: z.array(Block) }),
  z.object({ ips: z.array(z.string()).min(1) }),
])

/** A purchase of static proxies under way, as the chat's draft keeps it. */
const Purchase = z.object({
  /** Tells its buttons from those of an earlier purchase, which are stale. */
  id: z.string(),
  /** Changes with each change of the purchase; idempotency key of the order: only what was shown is paid, and only once. */
  confirmationKey: z.string(),
  /** The account that gets the proxies and is charged. */
  userId: z.int(),
  /** Name of the sub-user that an agent buys for. */
  forUser: z.string().optional(),
  /** Codes, by step; an empty city is any. A missing step takes its default, if it has one. */
  chosen: z.partialRecord(z.enum(STEPS), z.string()),
  wanted: Wanted.optional(),
  autoRenew: z.boolean(),
  promoCode: z.string().optional(),
  /** The order, once it is paid. */
  orderNo: z.string().optional(),
})

export type Purchase = Readonly<z.output<typeof Purchase>>
export type Wanted = z.output<typeof Wanted>
type Block = z.output<typeof Block>

export const purchaseDraft = draft('purchase', Purchase)

/** @param forUser name of the sub-user that an agent buys for */
export function newPurchase(userId: number, forUser?: string): Purchase {
  return {
    id: randomText(6),
    confirmationKey: randomText(10),
    userId,
    ...(forUser === undefined ? {} : { forUser }),
    chosen: {},
    autoRenew: false,
  }
}

/** The purchase of what an order was for. */
export function likeOrder(purchase: Purchase, order: StaticOrder): Purchase {
  const { productNo, projectId, countryCode, cityCode, duration, unit, cycleTimes, ipCount, autoRenew } =
    order
  const term = termOf(duration, unit as Unit, cycleTimes)
  return changed(purchase, {
    chosen: {
      product: productNo,
      ...(projectId !== null && { project: projectId }),
      ...(countryCode !== null && { country: countryCode }),
      city: cityCode ?? '',
      term: packTerm(term),
    },
    wanted: { count: ipCount },
    autoRenew,
  })
}

/** Returns the purchase with changes, under a new confirmation key. */
export function changed(purchase: Purchase, changes: Partial<Purchase>): Purchase {
  return { ...purchase, ...changes, confirmationKey: randomText(10) }
}

export function withoutPromo({ promoCode: _promoCode, ...purchase }: Purchase): Purchase {
  return changed(purchase, {})
}

/**
 * Returns the purchase with another choice from a list. Another product drops all other choices; another project, country or city
 * keeps the number of proxies but not the named addresses or ranges.
 */
export function choosing(purchase: Purchase, step: Step, value: string): Purchase {
  const { wanted, chosen, ...rest } = purchase
  if (step === 'product') return changed(rest as Purchase, { chosen: { product: value } })
  if (step === 'term') return changed(purchase, { chosen: { ...chosen, term: value } })
  const { city: _city, ...place } = chosen
  const count = wanted ? countOf(wanted) : 0
  return changed(rest as Purchase, {
    chosen: { ...(step === 'country' ? place : chosen), [step]: value },
    ...(count > 0 && { wanted: { count } }),
  })
}

/**
 * Returns the purchase of another product, in a place if one is given, with the same number of proxies.
 *
 * @param term one for which the product is sold; undefined for the default
 */
export function ofProduct(
  purchase: Purchase,
  chosen: { readonly product: string; readonly country?: string; readonly city?: string },
  term: string | undefined,
): Purchase {
  const { wanted } = purchase
  return changed(choosing(purchase, 'product', chosen.product), {
    chosen: { ...chosen, ...(term !== undefined && { term }) },
    ...(wanted && { wanted: { count: countOf(wanted) } }),
  })
}

/** What is remembered of a purchase that was paid: the next one of the product begins with it (rules 5.26). */
export const Remembered = z.object({
  chosen: Purchase.shape.chosen,
  count: z.int().min(1),
  autoRenew: z.boolean(),
})

export function remembered({ chosen, wanted, autoRenew }: Purchase): z.output<typeof Remembered> {
  return { chosen, count: wanted ? countOf(wanted) : 1, autoRenew }
}

export function countOf(wanted: Wanted): number {
  if ('count' in wanted) return wanted.count
  return 'ips' in wanted ? wanted.ips.length : wanted.blocks.reduce((sum, { count }) => sum + count, 0)
}

/** The addresses that are chosen. */
export function addressesIn({ wanted }: Purchase): readonly string[] {
  return wanted && 'ips' in wanted ? wanted.ips : []
}

/** The ranges that are chosen, with the number of each. */
export function blocksOf({ wanted }: Purchase): readonly Block[] {
  return wanted && 'blocks' in wanted ? wanted.blocks : []
}

/** Returns the order input of a purchase; undefined while something is not chosen. */
export function orderOf(purchase: Purchase): StaticOrderInput | undefined {
  const { userId, chosen, wanted, autoRenew, promoCode } = purchase
  const { product, project, country, city, term: termCode } = chosen
  const term = termCode === undefined ? undefined : unpackTerm(termCode)
  if (!product || !country || !term || !wanted || countOf(wanted) === 0) return undefined
  return {
    poolId: product,
    userId,
    ipCount: countOf(wanted),
    ...durationOf(term),
    countryCode: country,
    ...(city && { cityCode: city }),
    ...(project && { projectId: project }),
    ...('blocks' in wanted && { cidrBlocks: wanted.blocks }),
    ...('ips' in wanted && { assignedIpList: wanted.ips }),
    ...(promoCode !== undefined && { promoCode }),
    autoRenew,
  }
}
