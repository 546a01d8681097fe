import { z } from 'zod'
import { randomText } from '../../../core/ids.ts'
import type { StaticOrderInput } from '../../../core/orders/static-order-input.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import { termOf, type Unit } from '../../../core/term.ts'
import { durationOf, packTerm, unpackTerm } from '../../kit/terms.ts'
import { draft } from '../../session/draft.ts'

/** What is chosen from a list, in this order. */
export const STEPS = ['product', 'project', 'country', 'city', 'term'] as const
export type Step = (typeof STEPS)[number]

/** Names of what can be typed about it where buttons are as well. */
export const BUY_QUESTION = { howMany: 'buy.how-many', howManyOfRange: 'buy.how-many-of-range' } as const

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

/** The purchase as it was before a step. */
export function backTo(purchase: Purchase, step: Step): Purchase {
  const earlier = STEPS.slice(0, STEPS.indexOf(step))
  const { wanted: _wanted, ...rest } = purchase
  const chosen = Object.fromEntries(
    Object.entries(purchase.chosen).filter(([each]) => earlier.some((one) => one === each)),
  )
  return changed(rest, { chosen })
}

export function countOf(wanted: Wanted): number {
  if ('count' in wanted) return wanted.count
  return 'ips' in wanted ? wanted.ips.length : wanted.blocks.reduce((sum, { count }) => sum + count, 0)
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
