import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ORDER_LIMITS } from '../../core/orders/static-order-input.ts'
import { type CatalogueOffer, SupplierFault } from '../../core/supply/driver.ts'
import { dataOf } from './answer.ts'
import { decimal } from './decimal.ts'
import type { Session } from './session.ts'

const PRODUCTS = '/open/app/product/query-standard/v2'
const RANGES = '/open/app/product/ip-ranges/v2'
/** Types that are sold per IP. */
const STATIC_TYPES = [101, 102, 103]
/** The stock of an offer where the service tells none. */
const LARGE_STOCK = 1_000_000

const Project = z.union([
  z.object({ code: z.string(), name: z.string() }),
  z.string().transform((code) => ({ code, name: code })),
])
const Code = z
  .string()
  .nullish()
  .transform((code) => code ?? '')

/** A product in one place; items that do not fit cannot be ordered. */
const Item = z
  .object({
    productId: z.string().min(1),
    name: z.string().nullish(),
    proxyType: z.literal(STATIC_TYPES),
    project_list: z.array(Project).nullish(),
    projects: z.array(Project).nullish(),
    projectList: z.array(Project).nullish(),
    stock: z.int().min(0).nullish(),
    countryCode: z.string().regex(/^[A-Z]{2}$/),
    cityCode: Code,
    stateCode: Code,
    duration: z.int().positive(),
    /** 1 days, 3 months, 4 years. */
    unit: z.literal([1, 3, 4]),
    price: z.number().positive(),
    cidr_supported: z.boolean().nullish(),
  })
  .transform(({ unit, duration, ...item }) => ({
    ...item,
    periodUnit: unit === 1 ? (1 as const) : (3 as const),
    periodLength: unit === 4 ? duration * 12 : duration,
  }))
type Item = z.output<typeof Item>

const RangeItem = z.object({
  productId: z.string(),
  countryCode: z.string(),
  cityCode: Code,
  stateCode: Code,
  ipRanges: z.array(z.object({ ipRange: z.string(), stock: z.int().min(0).nullish() })),
})
type RangeItem = z.output<typeof RangeItem>

const Items = z.union([
  z.object({ items: z.array(z.unknown()) }).transform(({ items }) => items),
  z.object({ list: z.array(z.unknown()) }).transform(({ list }) => list),
])

/** Reads all static products in all of their places; the price is that of a single proxy. */
export async function readCatalogue(session: Session, signal: AbortSignal): Promise<CatalogueOffer[]> {
  const body = { proxyType: STATIC_TYPES, language: 'en' }
  const data = dataOf(await session.call({ method: 'POST', path: PRODUCTS, body }, signal))
  const items = itemsIn(data, Item)
  const withRanges = items.filter(({ cidr_supported }) => cidr_supported ?? false)
  const ranges: RangeItem[] = []
  for (const proxyType of new Set(withRanges.map(({ proxyType }) => proxyType))) {
    const query = { proxyType, language: 'en' }
    ranges.push(
      ...itemsIn(dataOf(await session.call({ method: 'GET', path: RANGES, query }, signal)), RangeItem),
    )
  }
  return merged(items.map((item) => toOffer(item, ranges)))
}

function itemsIn<Schema extends z.ZodType>(data: unknown, schema: Schema): z.output<Schema>[] {
  const items = Items.safeParse(data)
  if (!items.success) throw new SupplierFault('unknown', 'The catalogue cannot be read')
  return items.data.flatMap((item) => {
    const one = schema.safeParse(item)
    return one.success ? [one.data] : []
  })
}

function toOffer(item: Item, ranges: readonly RangeItem[]): CatalogueOffer {
  const { productId, countryCode, cityCode, stateCode } = item
  const same = (range: RangeItem) =>
    range.productId === productId &&
    range.countryCode === countryCode &&
    range.cityCode === cityCode &&
    range.stateCode === stateCode
  return {
    offerNo: offerNumber(productId, countryCode, cityCode || stateCode),
    name: item.name || productId,
    proxyType: item.proxyType,
    countryCode,
    state: stateCode,
    cityCode: /^[A-Z]{2}[A-Z0-9]{3}$/.test(cityCode) ? cityCode : '',
    periodUnit: item.periodUnit,
    periodLength: item.periodLength,
    cost: decimal(Math.ceil(item.price * 1_000_000 - 1e-3)),
    stock: item.stock ?? LARGE_STOCK,
    maxCount: ORDER_LIMITS.ips,
    projects: item.project_list ?? item.projects ?? item.projectList ?? [],
    ranges: item.cidr_supported
      ? ranges
          .filter(same)
          .flatMap(({ ipRanges }) =>
            ipRanges.map(({ ipRange, stock }) => ({ cidr: ipRange, stock: stock ?? LARGE_STOCK })),
          )
      : [],
    data: {
      productNo: productId,
      countryCode,
      ...(cityCode && { cityCode }),
      ...(!cityCode && stateCode && { regionCode: stateCode }),
    },
  }
}

/** Returns product, country, and city or state as a number; a digest where these have too many characters, or forbidden ones. */
function offerNumber(...codes: readonly string[]): string {
  const plain = codes.join(':')
  if (/^[A-Za-z0-9_.:-]{1,64}$/.test(plain)) return plain
  return createHash('sha256').update(JSON.stringify(codes)).digest('hex')
}

/** Merges places that are ordered by the same codes into one offer. */
function merged(offers: readonly CatalogueOffer[]): CatalogueOffer[] {
  const byNumber = new Map<string, CatalogueOffer>()
  for (const offer of offers) {
    const known = byNumber.get(offer.offerNo)
    byNumber.set(
      offer.offerNo,
      known
        ? {
            ...known,
            state: known.state === offer.state ? known.state : '',
            stock: known.stock + offer.stock,
            ranges: [...known.ranges, ...offer.ranges],
          }
        : offer,
    )
  }
  return [...byNumber.values()]
}
