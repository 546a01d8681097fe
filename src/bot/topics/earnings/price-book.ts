import type { Actor } from '../../../core/access/actor.ts'
import type { AgentPriceTerms } from '../../../core/catalog/price-limits.ts'
import type { AgentPrice } from '../../../core/earnings/agent-prices.ts'
import type { PlannedPrice } from '../../../core/earnings/replace-agent-prices.ts'
import type { SubUserPrice } from '../../../core/earnings/sub-user-prices.ts'
import { ServiceError } from '../../../core/errors.ts'
import { readTiers } from '../../kit/tiers.ts'
import { isPercent, percentIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'

/** Whose prices: of all sub-users or one, for all products or one. */
export interface PriceScope {
  readonly userId?: number | undefined
  readonly productId?: number | undefined
}

/** The prices that an agent has set for all of its sub-users or for one, and the prices that result. */
export interface PriceBook {
  /** Undefined for all sub-users. */
  readonly user: { readonly id: number; readonly username: string } | undefined
  readonly products: readonly SubUserPrice[]
  /** Prices set at this level only: those of one sub-user without what holds for all. */
  readonly set: readonly AgentPrice[]
  /** Bounds that the operator sets for the prices of agents. */
  readonly terms: AgentPriceTerms
  /** Sub-users with prices of their own. */
  readonly pricedUsers: readonly { readonly id: number; readonly username: string }[]
}

/** @throws agent_required, sub_user_not_found, not_direct_sub_user */
export async function priceBook(
  { core }: BotContext,
  actor: Actor,
  userId: number | undefined,
): Promise<PriceBook> {
  const { accounts, earnings } = core
  const user = userId === undefined ? undefined : await accounts.getSubUser(actor, userId)
  const all = await earnings.listPrices(actor)
  const named = new Map(all.flatMap((price) => (price.userId === null ? [] : [[price.userId, price]])))
  return {
    user,
    products: await earnings.pricesOfSubUsers(actor, userId),
    terms: await earnings.priceTerms(),
    set: all.filter((price) => price.userId === (userId ?? null)),
    pricedUsers: [...named].map(([id, { username }]) => ({ id, username: username ?? '' })),
  }
}

/** One product of the book, or all together. */
export interface PriceTarget extends PriceBook {
  readonly product: SubUserPrice | undefined
  /** The prices set for exactly this target, by ascending quantity. */
  readonly current: readonly AgentPrice[]
}

/** @throws product_not_found where it is neither on sale nor renewed by a sub-user; what {@link priceBook} throws */
export async function priceTarget(
  ctx: BotContext,
  actor: Actor,
  { userId, productId }: PriceScope,
): Promise<PriceTarget> {
  const book = await priceBook(ctx, actor, userId)
  const product = book.products.find((each) => each.productId === productId)
  if (productId !== undefined && !product) throw new ServiceError('product_not_found')
  return { ...book, product, current: setFor(book, product?.productNo ?? null) }
}

/** Returns the prices set for a product; with `null`, those for all products together. */
export function setFor({ set }: Pick<PriceBook, 'set'>, productNo: string | null): AgentPrice[] {
  return set.filter((price) => price.productNo === productNo)
}

const MAX_MARKUP = 10_000

/**
 * Reads a price as it is typed: a markup such as `15 %`, or, for one product, prices from quantities on such as `1: 4.50, 10: 4.00`.
 *
 * @returns undefined for anything else
 */
export function readPrice(text: string, ofProduct: boolean, currency: string): PlannedPrice[] | undefined {
  if (ofProduct && !isPercent(text)) return readTiers(text, currency)
  const markupPercent = percentIn(text)
  return markupPercent !== undefined && markupPercent <= MAX_MARKUP ? [{ markupPercent }] : undefined
}
