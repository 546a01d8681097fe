import { z } from 'zod'
import { ReplacePolicy } from '../../generated/prisma/enums.ts'
import { listOf, parsed, rowsAsJson } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { type Held, Money, Percent, record } from '../record.ts'
import { UNIT } from '../term.ts'
import { offeredIn, offerMoment } from './offer-conditions.ts'
import { GatewayAddress } from './gateway.ts'
import { citiesInCountries } from './offered-places.ts'
import { isCountryCode } from './country-code.ts'
import { Price, PRODUCT_SCOPE, sameQuantityTwice, Tier, userScope } from './prices.ts'
import {
  defaultRefundHours,
  fitsShortestTerm,
  isDynamic,
  POOLS,
  PROXY_TYPES,
  type Project,
} from './product.ts'
import { isFree } from './stock-conditions.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { ofEachLanguage } from '../languages.ts'
import { fieldsByLanguage, textFields, TranslationsRecord } from '../translations.ts'
import { DESCRIPTIONS, EditedDescriptions, NAMES, NewNames, textsColumn } from './product-texts.ts'

/** A code that fits into a chat button and a URL. */
const Code = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, { error: 'letters_digits_underscore_hyphen' })

const places = (isCode: (code: string) => boolean, error: string) =>
  z
    .array(z.string().toUpperCase().refine(isCode, { error }))
    .max(300)
    .transform((codes) => [...new Set(codes)])

/** How a product is shown, and where the exits of a dynamic one are; `schema.prisma` describes the columns of these names. */
export const ShownProduct = z.object({
  descriptions: EditedDescriptions,
  shelf: z.int().min(0).max(9999),
  countries: places(isCountryCode, 'not_a_country_code'),
  cities: places((code) => /^[A-Z]{2}[A-Z0-9]{3}$/.test(code), 'not_a_city_code'),
})
const shown = ShownProduct.shape

export const NewProduct = z
  .object({
    descriptions: shown.descriptions.default({}),
    shelf: shown.shelf.default(0),
    countries: shown.countries.default([]),
    cities: shown.cities.default([]),
    productNo: Code,
    names: NewNames,
    proxyType: z.literal(PROXY_TYPES).default(103),
    shared: z.boolean().default(false),
    projects: z
      .array(z.object({ code: Code, name: z.string().trim().min(1).max(80) }))
      .max(100)
      .default([]),
    /** Billing period of a static product. */
    periodUnit: z.literal([UNIT.day, UNIT.month]).default(UNIT.month),
    periodLength: z.int().min(1).max(365).default(1),
    pool: z.enum(POOLS).optional(),
    /** Where the gateway of a dynamic product listens: `host:port`. */
    gateway: GatewayAddress.optional(),
    /** Price per IP and billing period, or per GB. */
    price: Price,
    /** Prices for everybody from larger numbers of IPs or GB on. */
    tiers: z.array(Tier).max(50).default([]),
    /** Refund window in hours; shorter than the shortest term. {@link defaultRefundHours} when missing. */
    refundHours: z
      .int()
      .min(0)
      .max(24 * 365)
      .optional(),
    /** Thresholds of the low-stock notice, for the whole product and for each of its places; 0: no notice. */
    lowStock: z.int().min(0).max(10_000).default(10),
    lowStockPlace: z.int().min(0).max(10_000).default(1),
    /** Whether customers may replace proxies: at once with a reason (`auto`), after the operator's decision (`ask`), or `never`. */
    replacePolicy: z.enum(ReplacePolicy).default('ask'),
    /** How often a proxy is replaced in a term without a decision. */
    replaceLimit: z.int().min(0).max(100).default(1),
    cidrSupported: z.boolean().default(false),
    assignIpSupported: z.boolean().default(false),
  })
  .refine((product) => isDynamic(product.proxyType) === (product.pool !== undefined), {
    path: ['pool'],
    error: 'dynamic_products_have_a_pool',
  })
  .refine((product) => (product.pool === undefined) === (product.gateway === undefined), {
    path: ['gateway'],
    error: 'dynamic_products_have_a_gateway',
  })
  .refine(({ tiers }) => !sameQuantityTwice([{ minQuantity: 1 }, ...tiers]), {
    path: ['price'],
    error: 'quantity_comes_twice',
  })
  .refine(({ pool, countries }) => pool !== undefined || countries.length === 0, {
    path: ['countries'],
    error: 'dynamic_products_only',
  })
  .refine(({ pool, cities }) => pool !== undefined || cities.length === 0, {
    path: ['cities'],
    error: 'dynamic_products_only',
  })
  .refine(citiesInCountries, {
    path: ['cities'],
    error: 'city_not_in_country',
  })
  .refine((product) => product.projects.length === 0 || product.shared, {
    path: ['projects'],
    error: 'shared_products_only',
  })
  .refine((product) => product.pool !== undefined || fitsShortestTerm(product.refundHours ?? 0, product), {
    path: ['refundHours'],
    error: 'as_long_as_the_shortest_term',
  })

/**
 * Adds, for the operator, a product with its price (rules 3.1, 10.5).
 *
 * @throws validation_error
 */
export async function addProduct(
  deps: Essentials,
  input: z.input<typeof NewProduct>,
): Promise<{ productNo: string }> {
  const {
    names,
    descriptions,
    price,
    tiers,
    shared,
    projects,
    pool,
    gateway,
    countries,
    cities,
    ...product
  } = parseInput(NewProduct, input)
  const now = deps.clock.now()
  const period = pool ? { periodUnit: 0, periodLength: 0 } : product
  try {
    await deps.db.write(async ({ $kysely }) => {
      const { id: productId } = await $kysely
        .insertInto('products')
        .values({
          ...product,
          names: textsColumn(names),
          descriptions: textsColumn(descriptions),
          countries: JSON.stringify(countries),
          cities: JSON.stringify(cities),
          periodUnit: period.periodUnit,
          periodLength: period.periodLength,
          refundHours: product.refundHours ?? defaultRefundHours(period),
          pool: pool ?? null,
          gatewayHost: gateway?.host ?? null,
          gatewayPort: gateway?.port ?? null,
          productType: shared ? 2 : 1,
          projects: JSON.stringify(projects),
          createdAt: now,
          updatedAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const prices = [{ minQuantity: 1, price }, ...tiers]
      await $kysely
        .insertInto('prices')
        .values(prices.map((tier) => ({ productId, scope: PRODUCT_SCOPE, ...tier })))
        .execute()
    })
  } catch (error) {
    if (uniqueViolation(error, 'product_no')) throw InvalidInput.of('productNo', 'product_exists')
    throw error
  }
  return { productNo: product.productNo }
}

const MARGIN_NAMES = { marginBps: 'margin_percent', marginAmount: 'margin' } as const

/** An offer of a supplied product, with the price for everybody where it follows the cost. */
const PlaceRecord = record(
  {
    countryCode: z.string(),
    state: z.string(),
    cityCode: z.string(),
    offerNo: z.string(),
    cost: Money,
    /** 0 while the offer is not on sale. */
    stock: z.int(),
    marginBps: Percent.nullable(),
    marginAmount: Money.nullable(),
    price: Money.nullable(),
  },
  { names: { offerNo: 'offer', ...MARGIN_NAMES } },
)

/** Fields shown of a product. */
const productNo = z.string()
const OF_PRODUCT = {
  shelf: z.int(),
  countries: z.array(z.string()),
  cities: z.array(z.string()),
  proxyType: z.int(),
  productType: z.int(),
  projects: z.array(z.object({ code: z.string(), name: z.string() })),
  pool: z.string().nullable(),
  /** `host:port` of a dynamic product's gateway. */
  gateway: z.string().nullable(),
  periodUnit: z.int(),
  periodLength: z.int(),
  enabled: z.boolean(),
  lowStock: z.int(),
  lowStockPlace: z.int(),
  /** Number of proxies for sale; for a supplied product what the supplier offers. */
  free: z.int(),
  /** Held by orders; null where the proxies are a supplier's. */
  sold: z.int().nullable(),
  /** `inventory` for the own stock, or the name of a connection. */
  supplier: z.string(),
  /** Margins where the price follows the cost, as a part of the cost and as an amount; the larger one is added. */
  marginBps: Percent.nullable(),
  marginAmount: Money.nullable(),
  minMarginBps: Percent,
  replacePolicy: z.enum(ReplacePolicy),
  replaceLimit: z.int(),
  places: PlaceRecord.array(),
  /** `username` is set where the price is that of a single account. */
  prices: record({
    scope: z.string(),
    username: z.string().nullable(),
    minQuantity: z.int(),
    price: Money,
  }).array(),
  names: TranslationsRecord,
  descriptions: TranslationsRecord,
}
const ofEachText = ofEachLanguage(() => z.string())
export const ProductRecord = record(
  {
    productNo,
    ...fieldsByLanguage('name', ofEachText),
    ...fieldsByLanguage('description', ofEachText),
    ...OF_PRODUCT,
  },
  {
    names: {
      periodUnit: 'unit',
      periodLength: 'duration',
      ...MARGIN_NAMES,
      minMarginBps: 'min_margin_percent',
      replacePolicy: 'replace',
    },
  },
).from((product: ProductOverview) => ({
  ...product,
  ...textFields('name', product.names),
  ...textFields('description', product.descriptions),
}))

export interface ProductOverview extends Held<{ productNo: typeof productNo } & typeof OF_PRODUCT> {
  /** Refund window in hours. */
  readonly refundHours: number
  readonly cidrSupported: boolean
  readonly assignIpSupported: boolean
}

/** Lists all products with their prices and stock, for the operator. */
export async function listProducts({ db, clock }: Essentials): Promise<ProductOverview[]> {
  const stockOf = offeredIn(offerMoment(clock.now()))
  const products = await db.read.$kysely
    .selectFrom('products as p')
    .select(['p.productNo', NAMES, DESCRIPTIONS, 'p.shelf'])
    .select(({ ref }) => [
      parsed<string[]>(ref('p.countries')).as('countries'),
      parsed<string[]>(ref('p.cities')).as('cities'),
      parsed<Project[]>(ref('p.projects')).as('projects'),
    ])
    .select(['p.proxyType', 'p.productType', 'p.pool', 'p.gatewayHost', 'p.gatewayPort'])
    .select(['p.periodUnit', 'p.periodLength', 'p.lowStock', 'p.lowStockPlace', 'p.enabled'])
    .select(['p.supplier', 'p.marginBps', 'p.marginAmount', 'p.minMarginBps'])
    .select(['p.replacePolicy', 'p.replaceLimit', 'p.refundHours', 'p.cidrSupported', 'p.assignIpSupported'])
    .select(({ selectFrom, fn }) => {
      const places = selectFrom('locations as l')
        .innerJoin('supplierOffers as o', 'o.id', 'l.offerId')
        .select(['l.id', 'l.countryCode', 'l.state', 'l.cityCode', 'o.offerNo', 'o.cost'])
        .select((l) => stockOf(l).as('stock'))
        .select(['l.marginBps', 'l.marginAmount', 'l.price'])
        .whereRef('l.productId', '=', 'p.id')
      const stock = selectFrom('stockIps as s')
        .innerJoin('locations as l', 'l.id', 's.locationId')
        .select(fn.countAll<number>().as('count'))
        .whereRef('l.productId', '=', 'p.id')
      const prices = selectFrom('prices')
        .select(['scope', 'minQuantity', 'price'])
        .whereRef('productId', '=', 'p.id')
      return [
        stock.where(isFree).$asScalar().$notNull().as('free'),
        stock.where('s.orderId', 'is not', null).$asScalar().$notNull().as('sold'),
        rowsAsJson(prices, 'minQuantity').as('prices'),
        rowsAsJson(places, 'id').as('places'),
      ]
    })
    .orderBy('p.shelf')
    .orderBy('p.id')
    .execute()
  const scopes = products.flatMap(({ prices }) => prices.map(({ scope }) => scope))
  const nameOf = await usernamesOf(db.read, scopes)
  return products.map(({ gatewayHost, gatewayPort, prices, free, sold, places, ...product }) => ({
    ...product,
    free: places.reduce((sum, { stock }) => sum + (stock ?? 0), free),
    sold: places.length > 0 ? null : sold,
    places: places.map(({ id: _id, stock, ...place }) => ({ ...place, stock: stock ?? 0 })),
    gateway: gatewayHost === null ? null : `${gatewayHost}:${gatewayPort}`,
    prices: prices
      .map((price) => ({ ...price, username: nameOf(price.scope) }))
      .toSorted((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : 0)),
  }))
}

/** Returns a function from the scope of a single account's price to its username; null for any other scope. */
async function usernamesOf(db: Queryable, scopes: readonly string[]) {
  const ids = scopes.flatMap((scope) => (scope.startsWith('user:') ? [Number(scope.slice(5))] : []))
  const accounts = await db.$kysely
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('id', 'in', listOf(ids))
    .execute()
  const names = new Map(accounts.map(({ id, username }) => [userScope(id), username]))
  return (scope: string) => names.get(scope) ?? null
}
