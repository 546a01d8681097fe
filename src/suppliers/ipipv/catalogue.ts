import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { CatalogueOffer } from '../../core/supply/driver.ts'
import { DECIMAL } from '../decimal.ts'
import { type Api, shaped } from './api.ts'
import { MAX_COUNT } from './open.ts'
import { City, type CityNames, placeOfCodes } from './places.ts'

/** Static proxies: data centre, residential in China, residential elsewhere. */
const STATIC_TYPES = [101, 102, 103]
const OFFER_NO = /^[A-Za-z0-9_.:-]{1,64}$/
const YES = 1
const NO = -1
/** Access with username and password, among the ways in `useType`. */
const WITH_PASSWORD = '1'

/** A row of `product/query`, as far as it is used. */
const Product = z.object({
  productNo: z.string().regex(OFFER_NO),
  productName: z.string().default(''),
  proxyType: z.literal(STATIC_TYPES),
  useType: z.string().default(WITH_PASSWORD),
  countryCode: z.string(),
  stateCode: z.string().default(''),
  cityCode: z.string().default(''),
  costPrice: z.string().regex(DECIMAL),
  inventory: z.int().min(0),
  unit: z.int(),
  duration: z.int().positive(),
  enable: z.int(),
  cidrStatus: z.int().default(YES),
  cidrBlocks: z
    .array(z.object({ cidr: z.string(), count: z.int() }))
    .nullish()
    .transform((blocks) => blocks ?? []),
  projectList: z
    .array(z.object({ code: z.string() }))
    .nullish()
    .transform((projects) => projects ?? []),
  refundDuration: z.int().default(0),
})
type Product = z.output<typeof Product>

const Project = z.object({ code: z.string(), name: z.string(), status: z.int().default(YES) })

/** How the platform's units of time are sold here. Unlimited products (10) are not. */
const PERIODS: Readonly<Record<number, { readonly unit: 1 | 3; readonly length: number }>> = {
  1: { unit: 1, length: 1 },
  2: { unit: 1, length: 7 },
  3: { unit: 3, length: 1 },
  4: { unit: 3, length: 12 },
}

/**
 * Reads all static products that can be bought with username and password. A product that cannot be read, or whose country or unit of
 * time is not known here, is left out.
 */
export async function readCatalogue(api: Api, signal: AbortSignal): Promise<readonly CatalogueOffer[]> {
  const rows = await list(api, 'product/query', { proxyType: STATIC_TYPES }, signal)
  const products = rows.flatMap((row) => Product.safeParse(row).data ?? []).filter(isForSale)
  const cities = await cityNames(api, signal)
  const projects = products.some(({ projectList }) => projectList.length > 0)
    ? await projectNames(api, signal)
    : new Map<string, string>()
  return products.flatMap((product) => offerOf(product, cities, projects) ?? [])
}

function isForSale({ enable, useType }: Product): boolean {
  return enable === YES && useType.split(',').some((way) => way.trim() === WITH_PASSWORD)
}

function offerOf(
  product: Product,
  cities: CityNames,
  projects: ReadonlyMap<string, string>,
): CatalogueOffer | undefined {
  const place = placeOfCodes(product, cities)
  const period = PERIODS[product.unit]
  if (place === undefined || period === undefined) return undefined
  return {
    offerNo: product.productNo,
    name: product.productName || product.productNo,
    proxyType: product.proxyType,
    ...place,
    periodUnit: period.unit,
    periodLength: period.length * product.duration,
    cost: product.costPrice,
    stock: product.inventory,
    maxCount: MAX_COUNT,
    projects: product.projectList.flatMap(({ code }) => {
      const name = projects.get(code)
      return name === undefined ? [] : { code, name }
    }),
    ranges: product.cidrStatus === NO ? [] : product.cidrBlocks.filter(isRange).map(rangeOf),
    // Seconds after the order in which the platform takes the proxies back; 0: it does not.
    data: { refundSeconds: String(Math.max(product.refundDuration, 0)) },
  }
}

function isRange({ cidr, count }: Product['cidrBlocks'][number]): boolean {
  return count > 0 && ipaddr.isValidCIDR(cidr)
}

function rangeOf({ cidr, count }: Product['cidrBlocks'][number]): CatalogueOffer['ranges'][number] {
  return { cidr, stock: count }
}

async function cityNames(api: Api, signal: AbortSignal): Promise<CityNames> {
  const rows = await list(api, 'city/list', {}, signal)
  const cities = rows.flatMap((row) => City.safeParse(row).data ?? [])
  return new Map(cities.map(({ cityCode, cityEnName }) => [cityCode, cityEnName]))
}

/** Reads the names of the projects that can be chosen, by code. */
async function projectNames(api: Api, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const rows = await list(api, 'project/list', {}, signal)
  const projects = rows.flatMap((row) => Project.safeParse(row).data ?? [])
  return new Map(projects.filter(({ status }) => status === YES).map(({ code, name }) => [code, name]))
}

/** Reads the rows of a list that comes in one piece; no data is an empty list. */
async function list(
  api: Api,
  method: 'product/query' | 'city/list' | 'project/list',
  parameters: object,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  return shaped(z.array(z.unknown()), method, (await api.read(method, parameters, signal)) ?? [])
}
