import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { type PricedItem, pricedItems } from '../catalog/query-products.ts'
import { userScope } from '../catalog/prices.ts'
import { priceAt, type PriceTiers, startsOf } from '../catalog/tiers.ts'
import { listOf } from '../database/dialect.ts'
import { NOBODY } from '../earnings/agent-prices.ts'
import { type Micros, times } from '../money.ts'
import { type Held, Money, record } from '../record.ts'
import { discountOf, holdsFor, type ListPrice } from './discount.ts'
import { coverOf, type PromoCode } from './promo-code.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** The terms of a code, made or planned, that say what it takes off. */
export type PlannedCode = Pick<PromoCode, 'percent' | 'amount' | 'products' | 'balanceLimit' | 'balanceUsed'>

/** What is shown of {@link PromoEffect}. */
const PROMO_EFFECT = {
  productNo: z.string(),
  price: Money.meta({ description: 'What sub-users pay for one unit without the code' }),
  discount: Money.meta({ description: 'What the code takes off that' }),
  leastPercent: z.number().meta({
    description: 'The smallest part of a price that it takes off, by number and place, in percent',
  }),
  mostPercent: z.number().meta({ description: 'The largest one' }),
}
export const PromoEffectRecord = record(PROMO_EFFECT)

/** What a code takes off one product at the present prices: by the cheapest place; percents have 2 decimals and are rounded down. */
export interface PromoEffect extends Held<typeof PROMO_EFFECT>, Pick<PricedItem, 'names'> {
  /** Whether it takes off all that it names, for any number in any place. */
  readonly isWhole: boolean
}

/** What a code takes off. */
export interface PromoEffects {
  /** Of the products on sale for which it holds. */
  readonly products: readonly PromoEffect[]
  /** Whether some of the maker's customers have prices of their own, and get another discount by them. */
  readonly othersPay: boolean
  /** What the balance of the agent pays of a purchase now beside its earning; null for a code that never costs it. */
  readonly cover: Micros | null
}

/**
 * What a code of an agent takes off each product at the present prices of its sub-users, and with what its balance covers now (rules 13.10,
 * 13.16).
 *
 * @throws agent_required
 */
export function effectsOfAgents(deps: Essentials, agent: Actor, code: PlannedCode): Promise<PromoEffects> {
  requireAgent(agent)
  return effectsOf(deps, code, agent)
}

/** The same for the operator: of a code of the shop at the prices of everybody. */
export async function promoEffects(
  deps: Essentials,
  { agentId, ...code }: PlannedCode & Pick<PromoCode, 'agentId'>,
): Promise<PromoEffects> {
  if (agentId === null) return effectsOf(deps, code, null)
  const { level } = await deps.db.read.account.findUniqueOrThrow({ where: { id: agentId } })
  return effectsOf(deps, code, { id: agentId, level })
}

async function effectsOf(
  deps: Essentials,
  code: PlannedCode,
  maker: Pick<Actor, 'id' | 'level'> | null,
): Promise<PromoEffects> {
  const agentId = maker?.id ?? null
  const items = await pricedItems(deps, { id: NOBODY, agentId, level: maker?.level ?? null })
  const ofProduct = new Map<string, PricedItem[]>()
  for (const item of items)
    if (item.onSale && holdsFor(code, item.productNo))
      ofProduct.set(item.productNo, [...(ofProduct.get(item.productNo) ?? []), item])
  const funds =
    maker && (await deps.db.read.account.findUniqueOrThrow({ where: { id: maker.id }, select: FUNDS }))
  const cover = funds ? coverOf(code, { ...funds, balance: Number(funds.balance) }) : 0
  const products = [...ofProduct.values()].flatMap((places) => effectOf(places, { ...code, agentId, cover }))
  const othersPay = maker !== null && (await hasPricedUsers(deps, maker.id))
  return { products, othersPay, cover: code.balanceLimit === null ? null : cover }
}

const FUNDS = { balance: true, frozen: true } as const

type Code = Parameters<typeof discountOf>[1]

/** @param places of one product */
function effectOf(places: readonly PricedItem[], code: Code): PromoEffect[] {
  const purchases = places.flatMap((place) => purchasesOf(place, code))
  const [first] = purchases.toSorted((a, b) => a.quantity - b.quantity || a.totalAmount - b.totalAmount)
  if (!first) return []
  const { productNo, names } = first.place
  const percents = purchases.map(({ percent }) => percent)
  return [
    {
      productNo,
      names,
      price: first.totalAmount / first.quantity,
      discount: first.discount,
      leastPercent: Math.min(...percents),
      mostPercent: Math.max(...percents),
      isWhole: purchases.every(({ isWhole }) => isWhole),
    },
  ]
}

interface Purchase extends ListPrice {
  readonly place: PricedItem
  readonly quantity: number
  readonly discount: Micros
  /** Of the price, with 2 decimals. */
  readonly percent: number
  readonly isWhole: boolean
}

/** A purchase of the smallest number at each price. */
function purchasesOf(place: PricedItem, code: Code): Purchase[] {
  const sold = place.tiers.map(({ minQuantity, price }) => [minQuantity, price] as const)
  const amountOf = (tiers: PriceTiers, quantity: number) => {
    const price = priceAt(tiers, quantity)
    return price === undefined ? undefined : times(price, quantity)
  }
  return startsOf([sold, place.shopTiers]).flatMap((quantity): Purchase[] => {
    const [totalAmount, shops] = [amountOf(sold, quantity), amountOf(place.shopTiers, quantity)]
    if (totalAmount === undefined || shops === undefined) return []
    const list = { totalAmount, earning: totalAmount - shops }
    const { discount, asked } = discountOf(list, code)
    // What is sold at a loss is not sold.
    const isLoss = code.agentId === null && shops - discount < place.leastPrice * quantity
    const isSold = !isLoss && discount > 0
    // A part of a GB has a part of the earning.
    const isPart = code.amount !== null && code.agentId !== null && place.pool !== null
    const isWhole = isSold && discount === asked
    return [
      {
        ...list,
        place,
        quantity,
        discount: isSold ? discount : 0,
        percent:
          isWhole && code.percent !== null ? code.percent : isSold ? percentOf(discount, totalAmount) : 0,
        isWhole: isWhole && !isPart,
      },
    ]
  })
}

/** Rounded down to 2 decimals; not a quotient of floats, which makes 56.99 of 57. */
function percentOf(part: Micros, whole: Micros): number {
  return Number((BigInt(part) * 10_000n) / BigInt(whole)) / 100
}

/** Whether an agent, or the operator, has set a price for one of the agent's sub-users alone. */
async function hasPricedUsers({ db }: Essentials, agentId: number): Promise<boolean> {
  const own = await db.read.agentPrice.findFirst({ where: { agentId, userId: { not: null } } })
  if (own) return true
  const scopes = await db.read.price.findMany({
    where: { scope: { startsWith: userScope('') } },
    select: { scope: true },
    distinct: ['scope'],
  })
  const ids = scopes.map(({ scope }) => Number(scope.slice(userScope('').length)))
  const ofAgent = await db.read.$kysely
    .selectFrom('accounts')
    .select('id')
    .where('agentId', '=', agentId)
    .where('id', 'in', listOf(ids))
    .limit(1)
    .execute()
  return ofAgent.length > 0
}
