import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Actor, targetUser } from '../access/actor.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import type { Placeholders } from '../database/compiled.ts'
import { listOf, parsed, rowsAsJson, type ValueOf } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import { agentPriceRows } from './prices-by-agent.ts'
import type { Micros } from '../money.ts'
import {
  affordable,
  isOnOffer,
  lowestPrice,
  mostOf,
  offerMoment,
  type OfferMoment,
} from './offer-conditions.ts'
import { type BuyerScopes, scopesOf, buyerPrices, priceRows, shopPrices } from './prices.ts'
import { priceAt, type PriceTiers } from './tiers.ts'
import { OWN_STOCK, type Project } from './product.ts'
import { isFree } from './stock-conditions.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { DESCRIPTIONS, NAMES } from './product-texts.ts'
import type { Translations } from '../translations.ts'

export interface ProductFilter {
  readonly proxyTypes?: readonly number[]
  readonly productNo?: string
  /** ISO 3166-1 alpha-2. */
  readonly countryCode?: string
  readonly cityCode?: string
  /** The account whose prices are returned: the actor, which is the default, or a direct sub-user. */
  readonly userId?: number
}

/** What else a list of products may hold. */
interface More {
  /** Id of an agent: includes the products off sale of which its sub-users have proxies that they may renew. */
  readonly renewedOfAgent?: number
}

/** A static product in one place, or a dynamic product. */
export interface CatalogItem {
  readonly productId: number
  readonly productNo: string
  readonly names: Translations
  readonly descriptions: Translations
  /** Where exits of a dynamic product are; empty: everywhere. */
  readonly countries: readonly string[]
  readonly cities: readonly string[]
  readonly proxyType: number
  readonly productType: number
  readonly projects: Project[]
  readonly pool: string | null
  /** Billing period; 0 for a dynamic product. */
  readonly periodUnit: number
  readonly periodLength: number
  readonly refundHours: number
  readonly cidrSupported: boolean
  readonly assignIpSupported: boolean
  /** Null for a dynamic product. */
  readonly locationId: number | null
  readonly countryCode: string | null
  readonly state: string | null
  readonly cityCode: string | null
  /** Whether it can be bought; what is off sale may be renewed. */
  readonly onSale: boolean
  /** Free proxies there; 0 for a supplier's offer that is not sold now. */
  readonly stock: number
  /** Most proxies that one order may take from a supplier's offer; null for the own stock. */
  readonly maxCount: number | null
  /** What the buyer pays for one unit. */
  readonly price: Micros
  /** The buyer's prices, each with the quantity from which on it holds. */
  readonly tiers: { minQuantity: number; price: Micros }[]
}

/**
 * Lists what can be bought, with stock and the buyer's prices (rules 3.3, 3.10, 3.11).
 *
 * @throws as {@link targetUser}
 */
export async function queryProducts(
  deps: Essentials,
  actor: Actor,
  filter: ProductFilter = {},
): Promise<CatalogItem[]> {
  const { userId, ...wanted } = filter
  return productsFor(deps, await targetUser(deps.db.read, actor, userId ?? actor.id), wanted)
}

/** A product in one place, for whoever may not see prices. */
export type Ware = Pick<CatalogItem, 'productNo' | 'names' | 'pool' | 'countries' | 'countryCode'>

/** Lists what the shop sells and where, without prices (rules 2.27). */
export async function onTheShelf(deps: Essentials): Promise<Ware[]> {
  const items = await productsFor(deps, { id: 0, agentId: null, level: null })
  return items.map(({ productNo, names, pool, countries, countryCode }) => ({
    productNo,
    names,
    pool,
    countries,
    countryCode,
  }))
}

/** As {@link queryProducts}, for a given buyer; the caller has checked who may see the prices. */
export function productsFor(...query: Parameters<typeof pricedItems>): Promise<CatalogItem[]> {
  return pricedItems(...query)
}

/** An item with what its buyer does not see. */
export interface PricedItem extends CatalogItem {
  /** What the shop gets of the buyer's prices. */
  readonly shopTiers: PriceTiers
  /** What the shop gets where the buyer's agent sets the price. */
  readonly agentsTiers: PriceTiers
  /** Whether the operator has set a price for this buyer alone. */
  readonly ofBuyer: boolean
  /** The least that the shop may get of one unit: what covers the cost of a supplier's offer; 0 for the own stock. */
  readonly leastPrice: Micros
}

/** As {@link productsFor}, with what the shop gets. */
export async function pricedItems(
  { db, clock }: Essentials,
  buyer: Parameters<typeof scopesOf>[0],
  wanted: Omit<ProductFilter, 'userId'> & More = {},
): Promise<PricedItem[]> {
  const scopes = scopesOf(buyer)
  const own = (await findItems(db.read, { ...scopes, ...wanted }))
    .map((row) => ownItem(scopes, row))
    .filter(({ tiers }) => tiers[0]?.minQuantity === 1)
  const moment = offerMoment(clock.now())
  const supplied = (await findSupplied(db.read, { ...scopes, ...moment, ...wanted }))
    .map((row) => suppliedItem(scopes, row))
    .filter(({ tiers }) => tiers.length > 0)
  return supplied.length === 0 ? own : [...own, ...supplied].toSorted(byShelf)
}

type Item = PricedItem & { readonly shelf: number }

function byShelf(a: Item, b: Item): number {
  return (
    a.shelf - b.shelf ||
    a.productId - b.productId ||
    compare(a.countryCode ?? '', b.countryCode ?? '') ||
    compare(a.cityCode ?? '', b.cityCode ?? '')
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function ownItem(scopes: BuyerScopes, row: Awaited<ReturnType<typeof findItems>>[number]): Item {
  const { prices, agentPrices, ...item } = row
  return { ...item, ...priced(scopes, prices, agentPrices), leastPrice: 0 }
}

function suppliedItem(scopes: BuyerScopes, row: Awaited<ReturnType<typeof findSupplied>>[number]): Item {
  const { placePrice, prices, agentPrices, offeredProjects, cost, balance, offered, ...others } = row
  const { offerLimit, minMarginBps, ...item } = others
  const price = priced(scopes, prices, agentPrices, placePrice)
  const offer = { cost, balance, stock: offered, maxCount: offerLimit, minMarginBps }
  const maxCount = mostOf(offer, price.shopTiers)
  return {
    ...item,
    projects: offeredProjects,
    ...price,
    leastPrice: lowestPrice(offer),
    stock: maxCount === 0 ? 0 : Math.min(offered, affordable(offer)),
    maxCount,
  }
}

function priced(
  ...of: Parameters<typeof buyerPrices>
): Pick<Item, 'price' | 'tiers' | 'shopTiers' | 'agentsTiers' | 'ofBuyer'> {
  const [scopes, rows, , placePrice] = of
  const { tiers, shopTiers } = buyerPrices(...of)
  return {
    price: priceAt(tiers, 1) ?? 0,
    tiers: tiers.map(([minQuantity, price]) => ({ minQuantity, price })),
    shopTiers,
    agentsTiers: shopPrices(scopes, rows, placePrice),
    ofBuyer: rows.some(({ scope }) => scope === scopes.user),
  }
}

type WantedItems = BuyerScopes & Omit<ProductFilter, 'userId'> & More

function selectProducts(
  db: Queries,
  {
    proxyTypes,
    productNo,
    countryCode,
    cityCode,
    renewedOfAgent,
  }: Placeholders<Omit<ProductFilter, 'userId'> & More>,
) {
  return db
    .selectFrom('products as p')
    .leftJoin('locations as l', 'l.productId', 'p.id')
    .select(['p.id as productId', 'p.productNo', NAMES, DESCRIPTIONS, 'p.shelf', 'p.enabled as onSale'])
    .select(({ ref }) => [
      parsed<string[]>(ref('p.countries')).as('countries'),
      parsed<string[]>(ref('p.cities')).as('cities'),
      parsed<Project[]>(ref('p.projects')).as('projects'),
    ])
    .select(['p.proxyType', 'p.productType', 'p.pool', 'p.periodUnit', 'p.periodLength', 'p.refundHours'])
    .select(['p.cidrSupported', 'p.assignIpSupported'])
    .select(['l.id as locationId', 'l.countryCode', 'l.state', 'l.cityCode'])
    .where(({ or, eb, exists, ref }) =>
      or([
        eb('p.enabled', '=', true),
        ...(renewedOfAgent ? [exists(renewableOf(renewedOfAgent, ref('p.id')))] : []),
      ]),
    )
    .where(({ eb, and }) =>
      and([
        ...(proxyTypes ? [eb('p.proxyType', 'in', listOf(proxyTypes))] : []),
        ...(productNo ? [eb('p.productNo', '=', productNo)] : []),
        ...(countryCode ? [eb('l.countryCode', '=', countryCode)] : []),
        ...(cityCode ? [eb('l.cityCode', '=', cityCode)] : []),
      ]),
    )
    .orderBy('p.shelf')
    .orderBy('p.id')
    .orderBy('l.countryCode')
    .orderBy('l.cityCode')
}

/** Orders of the product at hand whose proxies sub-users of the agent may renew. */
function renewableOf(agentId: ValueOf<number>, product: Expression<number>) {
  return expressionBuilder<DB>()
    .selectFrom('staticOrders as o')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .select('o.id')
    .where('u.agentId', '=', agentId)
    .where('o.productId', '=', product)
    .where('o.status', 'in', ['active', 'partial', 'expired'])
}

/** Products of the own stock by place, and dynamic products. */
const findItems = compiledForGiven<WantedItems>()(
  (
    db,
    { user, agent, level, userId, agentId, proxyTypes, productNo, countryCode, cityCode, renewedOfAgent },
  ) =>
    selectProducts(db, { proxyTypes, productNo, countryCode, cityCode, renewedOfAgent })
      .select(({ ref, selectFrom, fn, lit }) => [
        selectFrom('stockIps as s')
          .select(fn.countAll<number>().as('count'))
          .whereRef('s.locationId', '=', 'l.id')
          .where(isFree)
          .$asScalar()
          .$notNull()
          .as('stock'),
        lit(null).as('maxCount'),
        rowsAsJson(priceRows({ user, agent, level }, ref('p.id')), 'minQuantity').as('prices'),
        rowsAsJson(agentPriceRows({ userId, agentId }, ref('p.id')), 'minQuantity').as('agentPrices'),
      ])
      .where('l.offerId', 'is', null)
      .where(({ eb, or }) => or([eb('l.id', 'is not', null), eb('p.pool', 'is not', null)]))
      .where(({ eb, or, not, exists, selectFrom }) =>
        or([
          eb('p.supplier', '=', OWN_STOCK),
          // A place of a supplied product without an offer is not sold: it is kept only for the orders that refer to it.
          not(exists(selectFrom('supplierConnections').select('id').whereRef('name', '=', 'p.supplier'))),
        ]),
      ),
)

const findSupplied = compiledForGiven<WantedItems & OfferMoment>()(
  (
    db,
    {
      user,
      agent,
      level,
      userId,
      agentId,
      now,
      freshSince,
      proxyTypes,
      productNo,
      countryCode,
      cityCode,
      renewedOfAgent,
    },
  ) =>
    selectProducts(db, { proxyTypes, productNo, countryCode, cityCode, renewedOfAgent })
      .innerJoin('supplierOffers as f', 'f.id', 'l.offerId')
      .innerJoin('supplierConnections as c', 'c.id', 'f.connectionId')
      .select(['l.price as placePrice', 'f.cost', 'f.maxCount as offerLimit', 'c.balance', 'p.minMarginBps'])
      .select((f) => [
        f.case().when(isOnOffer({ now, freshSince })(f)).then(f.ref('f.stock')).else(0).end().as('offered'),
        parsed<Project[]>(f.ref('f.projects')).as('offeredProjects'),
        rowsAsJson(priceRows({ user, agent, level }, f.ref('p.id')), 'minQuantity').as('prices'),
        rowsAsJson(agentPriceRows({ userId, agentId }, f.ref('p.id')), 'minQuantity').as('agentPrices'),
      ]),
)
