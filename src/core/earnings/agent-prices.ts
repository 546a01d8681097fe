import { z } from 'zod'
import { type Actor, directSubUser, requireAgent } from '../access/actor.ts'
import { PriceInUnits, priceRows, scopesOf, shopPrices } from '../catalog/prices.ts'
import { priceAt } from '../catalog/tiers.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { rowsAsJson } from '../database/dialect.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { fromNumber, toNumber } from '../money.ts'
import { type Held, Money } from '../record.ts'
import { aboveLimit, mostMarkup, termsIn } from './agent-price-terms.ts'
import { mostOver } from '../catalog/price-limits.ts'
import type { AgentPriceRow } from '../catalog/prices-by-agent.ts'
import type { Essentials } from '../jobs/essentials.ts'

const MAX_MARKUP_PERCENT = 10_000

/** Names a price of an agent by sub-user and product: for all of them where none is named. */
export const AgentPriceName = z.object({
  userId: z.int().positive().nullish(),
  productNo: z.string().max(64).nullish(),
  /** Quantity from which the price holds: IPs, or GB for dynamic products. */
  minQuantity: z.int().min(1).max(1_000_000).default(1),
})

export const NewAgentPrice = AgentPriceName.extend({
  /** Markup on what the agent itself pays, in percent with at most 2 decimals. */
  markupPercent: z.number().min(0).max(MAX_MARKUP_PERCENT).multipleOf(0.01).nullish(),
  /** Price of one unit. */
  price: PriceInUnits.nullish(),
}).superRefine(({ productNo, minQuantity, markupPercent, price }, { addIssue }) => {
  const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  if ((markupPercent ?? null) === null && (price ?? null) === null) refuse('price', 'required')
  if ((markupPercent ?? null) !== null && (price ?? null) !== null) refuse('price', 'either_markup_or_price')
  if ((price ?? null) !== null && !productNo) refuse('product_no', 'required')
  if ((markupPercent ?? null) !== null && minQuantity !== 1) refuse('min_quantity', 'markup_of_any_quantity')
})

/** What the parts of a price mean, where it is set and where it is shown. */
export const PRICE_PARTS = {
  userId: 'Id of the direct sub-user who pays it; null: all sub-users',
  productNo: 'Number of the product that it is for; null: all products',
  minQuantity: 'From how many IPs, or GB of traffic, on it holds',
  markupPercent: 'Percent on the price of the shop, at most 2 decimals; null for a fixed price',
  price: 'Fixed price of one unit; null for a markup',
}

/** What is shown of a price that an agent has set for its sub-users. */
export const AGENT_PRICE = {
  userId: z.int().nullable().meta({ description: PRICE_PARTS.userId }),
  username: z.string().nullable().meta({ description: 'Of this sub-user; null: all sub-users' }),
  productNo: z.string().nullable().meta({ description: PRICE_PARTS.productNo }),
  minQuantity: z.int().meta({ description: PRICE_PARTS.minQuantity }),
  markupPercent: z.number().nullable().meta({ description: PRICE_PARTS.markupPercent }),
  price: Money.nullable().meta({ description: PRICE_PARTS.price }),
}

export interface AgentPrice extends Held<typeof AGENT_PRICE> {
  readonly id: number
}

export const AGENT_PRICE_EXAMPLE: AgentPrice = {
  id: 1,
  userId: null,
  username: null,
  productNo: 'DYN-1',
  minQuantity: 1,
  markupPercent: 20,
  price: null,
}

/**
 * Sets what the sub-users of an agent pay (rules 13.1): a markup on what the agent itself pays, or a fixed price of a product. Setting
 * it again replaces it.
 *
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, product_not_found, validation_error
 */
export async function setAgentPrice(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof NewAgentPrice>,
): Promise<AgentPrice> {
  requireAgent(actor)
  const { markupPercent, price, ...name } = parseInput(NewAgentPrice, input)
  return db.write(async (tx) => {
    const key = await keyOf(tx, actor, name)
    const stored = { ...key, ...storedPrice({ markupPercent, price }) }
    await refuseAboveLimit(tx, actor, stored, [stored])
    await removePricesOf(tx, key)
    const { id } = await tx.$kysely
      .insertInto('agentPrices')
      .values(stored)
      .returning('id')
      .executeTakeFirstOrThrow()
    const [set] = await pricesOf(tx, actor.id, id)
    if (!set) throw new Error('the price is not there')
    return set
  })
}

/**
 * Removes a price of an agent; the next wider one holds then.
 *
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, product_not_found, validation_error
 */
export async function removeAgentPrice(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof AgentPriceName>,
): Promise<void> {
  requireAgent(actor)
  const name = parseInput(AgentPriceName, input)
  await db.write(async (tx) => {
    if ((await removePricesOf(tx, await keyOf(tx, actor, name))) === 0)
      throw InvalidInput.of('price', 'no_such_price')
  })
}

/**
 * Lists the prices that an agent has set, the widest first.
 *
 * @throws agent_required
 */
export async function listAgentPrices({ db }: Essentials, actor: Actor): Promise<AgentPrice[]> {
  requireAgent(actor)
  return pricesOf(db.read, actor.id)
}

type AgentPriceKey = Awaited<ReturnType<typeof keyOf>>

/** The value of a price as it is stored. */
type StoredPrice = Pick<AgentPriceRow, 'markupBps' | 'price'>

/** Returns the value of a price as it is stored. */
export function storedPrice({
  markupPercent,
  price,
}: Pick<z.output<typeof NewAgentPrice>, 'markupPercent' | 'price'>): StoredPrice {
  return {
    markupBps: typeof markupPercent === 'number' ? Math.round(markupPercent * 100) : null,
    price: typeof price === 'number' ? (fromNumber(price) ?? null) : null,
  }
}

/**
 * Refuses prices above the limit of the operator (rules 13.13); a fixed price is compared where the shop's price is highest.
 *
 * @param of the sub-user and the product; null for all
 * @throws validation_error that names the limit
 */
export async function refuseAboveLimit(
  db: Readable,
  actor: Actor,
  { userId, productId }: Pick<AgentPriceRow, 'userId' | 'productId'>,
  prices: readonly (StoredPrice & Pick<AgentPriceRow, 'minQuantity'>)[],
): Promise<void> {
  const terms = await termsIn(db)
  const scopes = scopesOf({ id: userId ?? NOBODY, agentId: actor.id, level: actor.level })
  const [product] = productId === null ? [] : await shopPricesOf(db, { ...scopes, productId })
  for (const { markupBps, price, minQuantity } of prices) {
    if (markupBps !== null && markupBps > mostMarkup(terms) * 100)
      throw aboveLimit('markup_percent', mostMarkup(terms))
    if (price === null || !product) continue
    const highest = [null, product.placePrice].map(
      (place) => priceAt(shopPrices(scopes, product.prices, place), minQuantity) ?? 0,
    )
    const most = mostOver(Math.max(...highest), terms)
    if (price > most) throw aboveLimit('price', toNumber(most))
  }
}

/** The id that stands for a sub-user without prices of its own. */
export const NOBODY = 0

interface Priced extends Pick<ReturnType<typeof scopesOf>, 'user' | 'agent' | 'level'> {
  readonly productId: number
}

/** Reads the price rows of a product, and the highest price of those of its places that have their own. */
const shopPricesOf = compiled<Priced>()((db, { user, agent, level, productId }) =>
  db
    .selectFrom('products as p')
    .select(({ ref, selectFrom }) => [
      rowsAsJson(priceRows({ user, agent, level }, ref('p.id')), 'minQuantity').as('prices'),
      selectFrom('locations as l')
        .select(({ fn }) => fn.max<number | null>('l.price').as('price'))
        .whereRef('l.productId', '=', 'p.id')
        .as('placePrice'),
    ])
    .where('p.id', '=', productId),
)

/** Returns the columns that name a price of an agent, and checks the sub-user and the product. */
export async function keyOf(
  tx: Readable,
  actor: Actor,
  { userId = null, productNo = null, minQuantity }: z.output<typeof AgentPriceName>,
) {
  if (userId !== null) await directSubUser(tx, actor, userId)
  const product =
    productNo === null
      ? null
      : await tx.$kysely
          .selectFrom('products')
          .select('id')
          .where('productNo', '=', productNo)
          .executeTakeFirst()
  if (product === undefined) throw new ServiceError('product_not_found')
  return { agentId: actor.id, userId, productId: product?.id ?? null, minQuantity }
}

/**
 * Removes prices of an agent, in the open transaction.
 *
 * @param of the agent, with the sub-user and the product; null: the prices for all
 * @param of.minQuantity without it, prices from any quantity on
 * @returns how many there were
 */
export async function removePricesOf(
  { $kysely }: Tx,
  { agentId, userId, productId, minQuantity }: Omit<AgentPriceKey, 'minQuantity'> & Partial<AgentPriceKey>,
): Promise<number> {
  const ofScope = $kysely
    .deleteFrom('agentPrices')
    .where('agentId', '=', agentId)
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('productId', productId === null ? 'is' : '=', productId)
  const { numDeletedRows } = await (
    minQuantity === undefined ? ofScope : ofScope.where('minQuantity', '=', minQuantity)
  ).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function pricesOf({ $kysely }: Readable, agentId: number, id?: number): Promise<AgentPrice[]> {
  const rows = await $kysely
    .selectFrom('agentPrices as a')
    .leftJoin('accounts as u', 'u.id', 'a.userId')
    .leftJoin('products as p', 'p.id', 'a.productId')
    .select(['a.id', 'a.userId', 'u.username', 'p.productNo', 'a.minQuantity', 'a.markupBps', 'a.price'])
    .where('a.agentId', '=', agentId)
    .where(({ eb, and }) => and(id === undefined ? [] : [eb('a.id', '=', id)]))
    .orderBy('a.userId', (order) => order.asc().nullsFirst())
    .orderBy('a.productId', (order) => order.asc().nullsFirst())
    .orderBy('a.minQuantity')
    .execute()
  return rows.map(({ markupBps, ...row }) => ({
    ...row,
    markupPercent: markupBps === null ? null : markupBps / 100,
  }))
}
