import type { Actor } from '../access/actor.ts'
import { type BuyerScopes, scopesOf, buyerPrices, priceRows } from '../catalog/prices.ts'
import { nextOf, type NextTier, priceAt, type PriceTiers, upTo } from '../catalog/tiers.ts'
import { billingPeriod, isDynamic, isShared, type Project } from '../catalog/product.ts'
import { type StockSelection, unknownRanges } from '../catalog/stock.ts'
import { inPlace, isFree, type PlaceCodes, placeCodesOf } from '../catalog/stock-conditions.ts'
import { compiled } from '../database/compiled.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import type { Readable } from '../database/database.ts'
import { parsed, rowsAsJson } from '../database/dialect.ts'
import { agentPriceRows } from '../catalog/prices-by-agent.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { type Micros, times, toNumber } from '../money.ts'
import { type Discounted, discounted } from '../promotions/discount.ts'
import type { UsablePromoCode } from '../promotions/promo-code.ts'
import { notUsable } from '../promotions/promo-refusals.ts'
import { type ChosenOffer, chooseOffer } from '../supply/choose-offer.ts'
import { lowestPrice, offeredIn, type OfferMoment, offerMoment } from '../catalog/offer-conditions.ts'
import { offersOfProduct, type PlaceOffer, projectsOf } from '../catalog/place-offers.ts'
import { periodsIn, type Term, termOf } from '../term.ts'
import type { StaticOrderRequest } from './static-order-input.ts'
import type { OrderedOffer } from '../supply/supplier.ts'

export interface StaticOrderTerms extends Discounted {
  readonly productId: number
  readonly productNo: string
  readonly supplier: string
  readonly unitPrice: Micros
  /** The buyer's prices up to the quantity of the order. */
  readonly tiers: PriceTiers
  /** Number of billing periods in the term. */
  readonly periods: number
  readonly term: Term
  /** The next lower price that a larger order would get. */
  readonly nextTier: NextTier | null
  /** The supplier's offer from which the order is bought; null where it takes from the own stock. */
  readonly offer: OrderedOffer | null
}

/**
 * Checks that the product can be ordered like this, and prices the order for its buyer (rules 3.5, 3.12, 5.1, 5.3, 5.4). Used by
 * the quote and by the acceptance.
 *
 * @param promo the promotion code that the order names
 * @throws product_not_found, location_not_supported_for_product, duration_not_supported, project_required, project_not_allowed,
 *   invalid_cidr_blocks, assigned_ip_unavailable, price_changed, validation_error; out_of_stock where a supplier's offer is to be
 *   bought; promo_code_not_usable
 */
export async function priceStaticOrder(
  db: Readable,
  now: Date,
  buyer: Actor,
  order: StaticOrderRequest,
  promo?: UsablePromoCode,
): Promise<StaticOrderTerms> {
  const { poolId, ipCount } = order
  const scopes = scopesOf(buyer)
  const [product] = await pricedProduct(db, { ...scopes, ...placeCodesOf(order), poolId })
  if (!product || isDynamic(product.proxyType)) throw new ServiceError('product_not_found')
  const { productId, productNo, supplier } = product
  const offers = product.connectionId === null ? undefined : await offersOf(db, now, buyer, order, product)
  const own = buyerPrices(scopes, product.prices, product.agentPrices)
  const unpriced = offers
    ? offers.length > 0 && offers.every(({ tiers }) => tiers.length === 0)
    : priceAt(own.tiers, ipCount) === undefined
  if (unpriced) throw new ServiceError('product_not_found')
  if (!product.inPlace) throw await unsupportedLocation(db, now, product, order)
  checkProject(offers ? { ...product, projects: projectsOf(offers) } : product, order)
  checkAddresses(product, order)
  if (!offers) await checkRanges(db, productId, order)

  const term = termOf(order.duration, order.unit, order.cycleTimes)
  const periods = periodsIn(term, billingPeriod(product))
  if (periods === undefined) {
    throw new ServiceError('duration_not_supported', {
      data: { product_no: productNo, duration: product.periodLength, unit: product.periodUnit },
    })
  }
  const chosen =
    offers &&
    chooseOffer(offers, {
      count: ipCount,
      periods,
      projectId: order.projectId ?? null,
      blocks: order.cidrBlocks ?? [],
    })
  const tiers = chosen?.tiers ?? upTo(own.tiers, ipCount)
  const unitPrice = priceAt(tiers, ipCount)
  const shopPrice = chosen?.shopPrice ?? priceAt(own.shopTiers, ipCount)
  if (unitPrice === undefined || shopPrice === undefined) throw new ServiceError('product_not_found')
  const listAmount = times(unitPrice, ipCount, periods)
  if (listAmount === undefined) throw InvalidInput.of('ipCount', 'amount_too_large')
  const earning = listAmount - (times(shopPrice, ipCount, periods) ?? listAmount)
  const price = discounted({ productNo, totalAmount: listAmount, earning }, promo)
  if (chosen && promo) refuseLoss(chosen, price, ipCount * periods)
  const nextTier = chosen ? chosen.nextTier : nextOf(own.tiers, unitPrice, ipCount)
  const offer = chosen ? orderedOffer(chosen) : null
  const sold = { productId, productNo, supplier, unitPrice, tiers, nextTier, offer }
  const terms = { ...sold, periods, term, ...price }
  checkCeilings(terms, order)
  return terms
}

/** @throws promo_code_not_usable where the shop would get too little of what it buys for the order (rules 13.10) */
function refuseLoss(
  { offer }: ChosenOffer,
  { shopAmount }: Pick<Discounted, 'shopAmount'>,
  units: number,
): void {
  if (shopAmount < (times(lowestPrice(offer), units) ?? Infinity)) throw notUsable('price_too_low')
}

function offersOf(
  db: Readable,
  now: Date,
  buyer: Actor,
  order: StaticOrderRequest,
  { productId }: PricedProduct,
): Promise<PlaceOffer[]> {
  const { countryCode, cityCode, regionCode } = order
  return offersOfProduct(db, now, buyer, { productId, countryCode, cityCode, regionCode })
}

function orderedOffer({ offer }: ChosenOffer): OrderedOffer {
  return {
    locationId: offer.locationId,
    offerId: offer.offerId,
    offerNo: offer.offerNo,
    connectionId: offer.connectionId,
    cost: offer.cost,
    minMarginBps: offer.minMarginBps,
    proxyType: offer.proxyType,
    countryCode: offer.countryCode,
    cityCode: offer.cityCode,
    periodUnit: offer.periodUnit,
    periodLength: offer.periodLength,
    maxCount: offer.maxCount,
    data: offer.data,
  }
}

interface Wanted extends BuyerScopes, PlaceCodes {
  readonly poolId: string
}

type PricedProduct = Awaited<ReturnType<typeof pricedProduct>>[number]

const pricedProduct = compiledForGiven<Wanted>()(
  (db, { user, agent, level, userId, agentId, poolId, countryCode, cityCode, regionCode }) =>
    db
      .selectFrom('products as p')
      .select([
        'p.id as productId',
        'p.productNo',
        'p.proxyType',
        'p.productType',
        'p.periodUnit',
        'p.periodLength',
      ])
      .select(['p.cidrSupported', 'p.assignIpSupported', 'p.supplier'])
      .select(({ ref, exists, selectFrom }) => [
        parsed<Project[]>(ref('p.projects')).as('projects'),
        rowsAsJson(priceRows({ user, agent, level }, ref('p.id')), 'minQuantity').as('prices'),
        rowsAsJson(agentPriceRows({ userId, agentId }, ref('p.id')), 'minQuantity').as('agentPrices'),
        selectFrom('supplierConnections').select('id').whereRef('name', '=', 'p.supplier').as('connectionId'),
        exists(
          selectFrom('locations as l')
            .select('l.id')
            .whereRef('l.productId', '=', 'p.id')
            .where(inPlace({ countryCode, cityCode, regionCode })),
        ).as('inPlace'),
      ])
      .where('p.productNo', '=', poolId)
      .where('p.enabled', '=', true),
)

/** Returns what an order takes from its supplier. */
export function selectionOf(productId: number, order: StaticOrderRequest): StockSelection {
  return {
    productId,
    count: order.ipCount,
    ...placeCodesOf(order),
    cidrBlocks: order.cidrBlocks ?? [],
    assignedIps: assignedIpsOf(order),
  }
}

/** Returns all addresses that an order names (rules 5.4). */
function assignedIpsOf({ assignedIp, assignedIpList }: StaticOrderRequest): string[] {
  return [...new Set([...(assignedIp ? [assignedIp] : []), ...(assignedIpList ?? [])])]
}

function checkProject(product: PricedProduct, { projectId }: StaticOrderRequest): void {
  const { projects } = product
  if (!isShared(product)) {
    if (projectId)
      throw new ServiceError('project_not_allowed', { data: { project_id: projectId, projects } })
  } else if (!projectId) {
    throw new ServiceError('project_required', { data: { projects } })
  } else if (projects.length > 0 && !projects.some((project) => project.code === projectId)) {
    throw new ServiceError('project_not_allowed', { data: { project_id: projectId, projects } })
  }
}

/** @throws invalid_cidr_blocks for a range in which the own stock has no proxy in this place */
async function checkRanges(db: Readable, productId: number, order: StaticOrderRequest): Promise<void> {
  const ranges = (order.cidrBlocks ?? []).map(({ cidr }) => cidr)
  const [unknown] = await unknownRanges(db, productId, placeCodesOf(order), ranges)
  if (unknown !== undefined) throw new ServiceError('invalid_cidr_blocks', { data: { cidr: unknown } })
}

function checkAddresses(product: PricedProduct, order: StaticOrderRequest): void {
  const blocks = order.cidrBlocks ?? []
  const sum = blocks.reduce((total, block) => total + block.count, 0)
  if (blocks.length > 0 && (!product.cidrSupported || sum !== order.ipCount))
    throw new ServiceError('invalid_cidr_blocks')
  const assigned = assignedIpsOf(order)
  if (assigned.length > order.ipCount) throw InvalidInput.of('assignedIpList', 'more_than_ip_count')
  if (assigned.length > 0 && (!product.assignIpSupported || blocks.length > 0))
    throw new ServiceError('assigned_ip_unavailable')
}

async function unsupportedLocation(
  db: Readable,
  now: Date,
  product: PricedProduct,
  order: StaticOrderRequest,
): Promise<ServiceError> {
  const supported = await stockedPlaces(db, { ...offerMoment(now), productId: product.productId })
  const { countryCode, cityCode, regionCode } = order
  return new ServiceError('location_not_supported_for_product', {
    data: {
      product_no: product.productNo,
      requested: {
        countryCode: countryCode ?? null,
        cityCode: cityCode ?? null,
        regionCode: regionCode ?? null,
      },
      supported_regions: supported,
    },
  })
}

const stockedPlaces = compiled<OfferMoment & { productId: number }>()((db, { productId, now, freshSince }) =>
  db
    .selectFrom('locations as l')
    .select(['l.countryCode', 'l.cityCode'])
    .select((l) => {
      const free = l
        .selectFrom('stockIps as s')
        .select(l.fn.countAll<number>().as('number'))
        .whereRef('s.locationId', '=', 'l.id')
        .where(isFree)
      return l.fn.coalesce(offeredIn({ now, freshSince })(l), free).as('stock')
    })
    .where('l.productId', '=', productId)
    .orderBy('l.countryCode')
    .orderBy('l.cityCode'),
)

/**
 * Checks the client's ceilings (rules 4.7): its prices are never charged, but it never pays more than it agreed to.
 *
 * @throws price_changed with the server's price
 */
export function checkCeilings(
  terms: Pick<StaticOrderTerms, 'unitPrice' | 'totalAmount'>,
  order: Pick<StaticOrderRequest, 'unitPrice' | 'totalAmount'>,
): void {
  const { unitPrice, totalAmount } = order
  const dearer =
    (unitPrice > 0 && toNumber(terms.unitPrice) > unitPrice) ||
    (totalAmount > 0 && toNumber(terms.totalAmount) > totalAmount)
  if (dearer) {
    throw new ServiceError('price_changed', {
      data: { unit_price: toNumber(terms.unitPrice), total_amount: toNumber(terms.totalAmount) },
    })
  }
}
