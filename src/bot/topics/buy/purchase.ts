import { z } from 'zod'
import { randomText } from '../../../core/ids.ts'
import type { StaticOrderInput } from '../../../core/orders/static-order-input.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import { termOf, type Unit } from '../../../core/term.ts'
import { type Step, STEPS } from '../../actions/buy.ts'
import { durationOf, packTerm, unpackTerm } from '../../kit/terms.ts'
import { draft } from '../../session/draft.ts'

/** The conversation of a purchase. */
export const BUYING = 'buy'

/** What the conversation knows of the screen: of which purchase it is, and what is being asked there. */
export interface At {
  readonly id: string
  /** Undefined on the screen of the whole purchase, and on those of places and terms, which can be told apart. */
  readonly asks?: 'project' | 'promo' | 'range'
  /** How many of which range. */
  readonly range?: string
}

const Block = z.object({ cidr: z.string(), count: z.int().min(1) })

/** How many proxies: any, so many from each range, or exactly these. */
const Wanted = z.union([
  z.object({ count: z.int().min(1) }),
  z.object({ blocks: z.array(Block) }),
  z.object({ ips: z.array(z.string()).min(1) }),
])

/** A purchase of static proxies under way, as the chat's draft keeps it. */
const Purchase = z.object({
  /** Buttons of another purchase are old. */
  id: z.string(),
  /** Another one after each change; the order's number: what is paid is what was shown, and pressing twice buys once. */
  confirmationKey: z.string(),
  /** Who gets the proxies and pays. */
  userId: z.int(),
  /** Name of the sub-user that an agent buys for. */
  forUser: z.string().optional(),
  /** Codes, by step; an empty city is any. What had only one choice may be missing. */
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

/** The purchase with something else chosen. */
export function changed(purchase: Purchase, changes: Partial<Purchase>): Purchase {
  return { ...purchase, ...changes, confirmationKey: randomText(10) }
}

export function withoutPromo({ promoCode: _promoCode, ...purchase }: Purchase): Purchase {
  return changed(purchase, {})
}

/**
 * The purchase with something else chosen from a list. Another product begins anew; what was named in a place is not in another one,
 * of which as many are bought.
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
 * The purchase of another product, in a place if one is given, for as long and of as many as before.
 *
 * @param term for which the product is sold; undefined for the usual one
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

/** The order that a purchase stands for; undefined while something is not chosen. */
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
