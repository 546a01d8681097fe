import type { Actor } from '../access.ts'
import {
  type BuyerScopes,
  priceAt,
  type PriceTiers,
  scopesOf,
  tiersOf,
  tiersUpTo,
} from '../catalog/prices.ts'
import { billingPeriod, isDynamic, isShared, type Project } from '../catalog/product.ts'
import { type StockSelection, unknownRanges } from '../catalog/stock.ts'
import { inPlace, isFree, type PlaceCodes, placeOf } from '../catalog/stock-conditions.ts'
import { compiled } from '../database/compiled.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import type { Readable } from '../database/database.ts'
import { parsed, rowsAsJson } from '../database/dialect.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { type Micros, times, toNumber } from '../money.ts'
import { periodsIn, type Term, termOf } from '../term.ts'
import type { StaticOrderRequest } from './static-order-input.ts'

export interface StaticOrderTerms {
  readonly productId: number
  readonly productNo: string
  readonly supplier: string
  readonly unitPrice: Micros
  /** The buyer's prices up to this quantity. */
  readonly tiers: PriceTiers
  /** Number of billing periods in the term. */
  readonly periods: number
  readonly term: Term
  readonly totalAmount: Micros
}

/**
 * Checks that the product can be ordered like this, and prices the order for its buyer (rules 3.5, 5.1, 5.3, 5.4). Used by the
 * quote and by the acceptance.
 *
 * @throws product_not_found, location_not_supported_for_product, duration_not_supported, project_required, project_not_allowed,
 *   invalid_cidr_blocks, assigned_ip_unavailable, price_changed, validation_error
 */
export async function priceStaticOrder(
  db: Readable,
  buyer: Actor,
  order: StaticOrderRequest,
): Promise<StaticOrderTerms> {
  const { poolId, ipCount } = order
  const [product] = await pricedProduct(db, { ...scopesOf(buyer), ...placeOf(order), poolId, ipCount })
  const tiers = tiersOf(product?.tiers ?? [])
  const unitPrice = priceAt(tiers, ipCount)
  if (!product || isDynamic(product.proxyType) || unitPrice === undefined)
    throw new ServiceError('product_not_found')
  if (!product.inPlace) throw await unsupportedLocation(db, product, order)
  checkProject(product, order)
  checkAddresses(product, order)
  const [unknown] = await unknownRanges(
    db,
    product.productId,
    placeOf(order),
    (order.cidrBlocks ?? []).map(({ cidr }) => cidr),
  )
  if (unknown !== undefined) throw new ServiceError('invalid_cidr_blocks', { data: { cidr: unknown } })

  const term = termOf(order.duration, order.unit, order.cycleTimes)
  const periods = periodsIn(term, billingPeriod(product))
  if (periods === undefined) {
    throw new ServiceError('duration_not_supported', {
      data: { product_no: product.productNo, duration: product.periodLength, unit: product.periodUnit },
    })
  }
  const { productId, productNo, supplier } = product
  const totalAmount = times(unitPrice, order.ipCount, periods)
  if (totalAmount === undefined) throw InvalidInput.of('ipCount', 'amount_too_large')
  const terms = { productId, productNo, supplier, unitPrice, tiers, periods, term, totalAmount }
  checkCeilings(terms, order)
  return terms
}

interface Wanted extends BuyerScopes, PlaceCodes {
  readonly poolId: string
  readonly ipCount: number
}

type PricedProduct = Awaited<ReturnType<typeof pricedProduct>>[number]

const pricedProduct = compiledForGiven<Wanted>()(
  (db, { user, level, poolId, ipCount, countryCode, cityCode, regionCode }) =>
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
        rowsAsJson(tiersUpTo({ user, level }, ref('p.id'), ipCount), 'minQuantity').as('tiers'),
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

/** What an order takes from its supplier. */
export function selectionOf(productId: number, order: StaticOrderRequest): StockSelection {
  return {
    productId,
    count: order.ipCount,
    ...placeOf(order),
    cidrBlocks: order.cidrBlocks ?? [],
    assignedIps: assignedIpsOf(order),
  }
}

/** All addresses that an order names (rules 5.4). */
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
  product: PricedProduct,
  order: StaticOrderRequest,
): Promise<ServiceError> {
  const supported = await stockedPlaces(db, { productId: product.productId })
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

const stockedPlaces = compiled<{ productId: number }>()((db, { productId }) =>
  db
    .selectFrom('locations as l')
    .select(['l.countryCode', 'l.cityCode'])
    .select(({ selectFrom, fn }) =>
      selectFrom('stockIps as s')
        .select(fn.countAll<number>().as('number'))
        .whereRef('s.locationId', '=', 'l.id')
        .where(isFree)
        .as('stock'),
    )
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
