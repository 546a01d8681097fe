import { z } from 'zod'
import { PROXY_TYPES } from '../../core/catalog/product.ts'
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../core/languages.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import {
  IpRangeProduct,
  ipRangeProductExample,
  ProductItem,
  productItemExample,
  toIpRangeProduct,
  toProductItem,
} from '../wire/product.ts'
import { flag, wholeNumber } from '../wire/query.ts'

const DEFAULT_PROXY_TYPE = 103
const PROXY_TYPE_TEXT =
  '101 static cloud, 102 static residential domestic, 103 static residential overseas, 104 dynamic overseas, 105 dynamic ' +
  `domestic; ${DEFAULT_PROXY_TYPE} when missing, but any for a \`productNo\``

const CountryCode = z
  .string()
  .regex(/^([A-Za-z]{2})?$/, 'not_a_country_code')
  .transform((code) => code.toUpperCase())
  .meta({ description: 'ISO 3166-1 alpha-2' })
const ProductNo = z.string().min(1).max(64)
const AreaCode = z.string().max(32)
const NameLanguage = z
  .enum(LANGUAGES.toReversed())
  .default(FALLBACK_LANGUAGE)
  .meta({ description: 'Language of names' })

const ProductQuery = z
  .object({
    proxyType: z
      .union([z.literal(PROXY_TYPES), z.array(z.literal(PROXY_TYPES)).min(1).max(PROXY_TYPES.length)])
      .optional()
      .meta({ description: PROXY_TYPE_TEXT }),
    productNo: ProductNo.nullish(),
    standardCountryCode: CountryCode.nullish(),
    standardCityCode: AreaCode.nullish().meta({ description: '`cityCode` of an earlier answer' }),
    language: NameLanguage,
  })
  .prefault({})

/** POST /open/app/product/query-standard/v2 (rules 3.3). */
export const queryProducts = endpoint({
  name: 'queryProducts',
  method: 'POST',
  path: '/open/app/product/query-standard/v2',
  tag: 'Products',
  scope: 'read',
  summary: 'Products, stock, prices and region codes',
  description:
    'One item per product and place. `price` is what the caller pays. Order with `poolId` = `productId`, `countryCode` and ' +
    '`cityCode` of an item. The answer holds all items.',
  body: ProductQuery,
  changesNothing: true,
  answer: listSchema(ProductItem),
  example: {
    body: { proxyType: 103, standardCountryCode: 'US', language: FALLBACK_LANGUAGE },
    data: new List([productItemExample]),
  },
  async handle({ core, body }, actor) {
    const items = await core.catalog.query(actor, {
      ...defined({
        proxyTypes: proxyTypes(body.productNo, body.proxyType),
        productNo: body.productNo,
        countryCode: body.standardCountryCode,
        cityCode: body.standardCityCode,
      }),
    })
    return new List(items.map((item) => toProductItem(item, body.language)))
  },
})

const IpRangeQuery = z.object({
  proxyType: wholeNumber(101, 105).optional().meta({ description: PROXY_TYPE_TEXT }),
  productNo: ProductNo.optional(),
  areaCode: AreaCode.optional().meta({ description: 'Country, state or city code' }),
  countryCode: CountryCode.optional(),
  cityCode: AreaCode.optional(),
  includeDisabled: flag.default(false).meta({ description: 'Whether to include ranges that are disabled' }),
  language: NameLanguage,
})

/** GET /open/app/product/ip-ranges/v2 (rules 3.8). */
export const listIpRanges = endpoint({
  name: 'listIpRanges',
  method: 'GET',
  path: '/open/app/product/ip-ranges/v2',
  tag: 'Products',
  scope: 'read',
  summary: 'CIDR/IP ranges that still have free IPs',
  description:
    'One item per product and place. A single address outside any range is shown as /32 (IPv6: /128).',
  query: IpRangeQuery,
  answer: listSchema(IpRangeProduct),
  example: {
    query: { proxyType: 103, countryCode: 'US' },
    data: new List([ipRangeProductExample]),
  },
  async handle({ core, query }) {
    const { productNo, countryCode, cityCode, areaCode, includeDisabled } = query
    const items = await core.catalog.ipRanges({
      includeDisabled,
      ...defined({
        proxyTypes: proxyTypes(productNo, query.proxyType),
        productNo,
        countryCode,
        cityCode,
        areaCode,
      }),
    })
    return new List(items.map((item) => toIpRangeProduct(item, query.language)))
  },
})

/** Returns the types to search; without a wanted type, any (undefined) for a named product. */
function proxyTypes(
  productNo: string | null | undefined,
  wanted: number | readonly number[] | undefined,
): readonly number[] | undefined {
  if (wanted === undefined) return productNo ? undefined : [DEFAULT_PROXY_TYPE]
  return typeof wanted === 'number' ? [wanted] : wanted
}

/** Leaves out what is not there, and codes that are empty: no place in particular (rules 3.4). */
function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as never
}
