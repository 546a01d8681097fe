import { z } from 'zod'
import type { IpRangeItem } from '../../core/catalog/ip-ranges.ts'
import { isDynamic, type Project } from '../../core/catalog/product.ts'
import type { CatalogItem } from '../../core/catalog/query-products.ts'
import { FALLBACK_LANGUAGE, ofEachLanguage } from '../../core/languages.ts'
import { Money } from '../../core/record.ts'
import { toNumber } from '../../core/money.ts'
import { fieldsByLanguage, textFields, translationIn, TranslationsRecord } from '../../core/translations.ts'
import type { Language } from '../language.ts'
import { placeFields, placeNames } from './place.ts'

export const ProjectRecord = z
  .strictObject({
    code: z.string().meta({ description: 'The `projectId` of an order' }),
    name: z.string(),
  })
  .meta({ id: 'Project' })
const Projects = z.array(ProjectRecord)

/** Fields by which a client tells shared from exclusive products, in all their spellings (rules 3.2). */
const kindFields = {
  product_type: z.int().meta({ description: '1 exclusive, 2 shared' }),
  productType: z.int(),
  project_list: Projects.meta({ description: 'Not empty: orders need a `projectId`, one of these codes' }),
  projects: Projects.meta({ description: 'Same as `project_list`' }),
  projectList: Projects,
}

function kindOf(productType: number, projects: Project[]) {
  return { product_type: productType, productType, project_list: projects, projects, projectList: projects }
}

/** A product in one place, or a dynamic product (rules 3.3). */
export const ProductItem = z
  .strictObject({
    productId: z.string().meta({ description: 'The product number, `poolId` of an order' }),
    productNo: z.string().meta({ description: 'Same as `productId`' }),
    name: z.string(),
    names: TranslationsRecord,
    description: z.string().meta({ description: 'In the language of the names; empty when there is none' }),
    ...fieldsByLanguage(
      'description',
      ofEachLanguage((language) =>
        z.string().meta({ description: `The same in the language \`${language}\`` }),
      ),
    ),
    descriptions: TranslationsRecord.meta({ description: 'By language, where there is one' }),
    proxyType: z.int(),
    ...kindFields,
    pool_type: z.string().optional().meta({ description: 'Pool of a dynamic product' }),
    countries: z
      .array(z.string())
      .optional()
      .meta({ description: 'Of a dynamic product: the countries that an extraction may name; empty: all' }),
    cities: z.array(z.string()).optional().meta({
      description:
        'Of a dynamic product: the cities that an extraction may name; empty: all of the countries',
    }),
    stock: z.int().meta({ description: 'Free IPs in this place' }),
    ...placeFields,
    stateCode: z.string(),
    duration: z.int().meta({ description: 'Billing period: so many `unit`s; 0 for a dynamic product' }),
    unit: z.int().meta({ description: '1 day, 3 month; 0 for a dynamic product' }),
    price: Money.schema.meta({ description: 'What the caller pays per IP and billing period, or per GB' }),
    tiers: z
      .array(
        z.strictObject({ min_gb: z.int().optional(), min_count: z.int().optional(), price: Money.schema }),
      )
      .meta({ description: 'Prices by quantity: from `min_gb` GB (dynamic) or `min_count` IPs (static) on' }),
    refund_hours: z.int().meta({ description: 'Hours in which a cancellation is refunded' }),
    cidr_supported: z.boolean(),
    assign_ip_supported: z.boolean(),
  })
  .meta({ id: 'ProductItem' })

export function toProductItem(item: CatalogItem, language: Language): z.infer<typeof ProductItem> {
  const minimum = isDynamic(item.proxyType) ? 'min_gb' : 'min_count'
  return {
    productId: item.productNo,
    productNo: item.productNo,
    name: translationIn(item.names, language),
    names: item.names,
    description: item.descriptions[language] ?? '',
    ...textFields('description', item.descriptions),
    descriptions: item.descriptions,
    proxyType: item.proxyType,
    ...kindOf(item.productType, item.projects),
    ...(item.pool === null
      ? {}
      : { pool_type: item.pool, countries: [...item.countries], cities: [...item.cities] }),
    stock: item.stock,
    ...placeNames(item.countryCode ?? '', item.cityCode ?? '', language),
    stateCode: item.state ?? '',
    duration: item.periodLength,
    unit: item.periodUnit,
    price: toNumber(item.price),
    tiers: item.tiers.map(({ minQuantity, price }) => ({ [minimum]: minQuantity, price: toNumber(price) })),
    refund_hours: item.refundHours,
    cidr_supported: item.cidrSupported,
    assign_ip_supported: item.assignIpSupported,
  }
}

const exampleDescriptions = {
  en: 'Addresses of home providers that stay yours for the whole term.',
  zh: '住宅运营商的固定 IP，整个租期内归您独用。',
}

export const productItemExample: z.infer<typeof ProductItem> = {
  productId: 'ISP-RES',
  productNo: 'ISP-RES',
  name: 'Residential ISP',
  names: { en: 'Residential ISP', zh: '住宅 ISP 静态代理' },
  description: exampleDescriptions.en,
  ...textFields('description', exampleDescriptions),
  descriptions: exampleDescriptions,
  proxyType: 103,
  product_type: 1,
  productType: 1,
  project_list: [],
  projects: [],
  projectList: [],
  stock: 120,
  ...placeNames('US', 'USNYC', FALLBACK_LANGUAGE),
  stateCode: 'NY',
  duration: 1,
  unit: 3,
  price: 4.5,
  tiers: [
    { min_count: 1, price: 4.5 },
    { min_count: 10, price: 4 },
    { min_count: 50, price: 3.5 },
  ],
  refund_hours: 24,
  cidr_supported: false,
  assign_ip_supported: false,
}

/** A product in one place with its ranges (rules 3.8). */
export const IpRangeProduct = z
  .strictObject({
    productId: z.string(),
    productNo: z.string(),
    proxyType: z.int(),
    ...kindFields,
    ...placeFields,
    stateCode: z.string(),
    stateName: z.string(),
    ipRanges: z.array(
      z.strictObject({ ipRange: z.string(), stock: z.int().meta({ description: 'Free IPs in the range' }) }),
    ),
  })
  .meta({ id: 'IpRangeProduct' })

export function toIpRangeProduct(item: IpRangeItem, language: Language): z.infer<typeof IpRangeProduct> {
  return {
    productId: item.productNo,
    productNo: item.productNo,
    proxyType: item.proxyType,
    ...kindOf(item.productType, item.projects),
    ...placeNames(item.countryCode, item.cityCode, language),
    stateCode: item.state,
    // States have codes only.
    stateName: item.state,
    ipRanges: item.ipRanges,
  }
}

export const ipRangeProductExample: z.infer<typeof IpRangeProduct> = {
  productId: 'ISP-RES',
  productNo: 'ISP-RES',
  proxyType: 103,
  product_type: 1,
  productType: 1,
  project_list: [],
  projects: [],
  projectList: [],
  ...placeNames('US', 'USNYC', FALLBACK_LANGUAGE),
  stateCode: 'NY',
  stateName: 'NY',
  ipRanges: [
    { ipRange: '192.0.2.0/26', stock: 63 },
    { ipRange: '192.0.2.64/26', stock: 57 },
  ],
}
