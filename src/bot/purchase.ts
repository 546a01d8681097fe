import { billingPeriod, isDynamic, isShared } from '../core/catalog/product.ts'
import type { CatalogItem } from '../core/catalog/query-products.ts'
import { periodsIn, type Term } from '../core/term.ts'
import { pack, unpack, wholeNumber } from './callback-data.ts'

/** Actions of a purchase, step by step; each button carries all that was chosen before it. */
export const BUY = {
  products: 'buy',
  countries: 'bp',
  cities: 'bc',
  terms: 'bt',
  numbers: 'bn',
  typeNumber: 'bi',
  confirm: 'bq',
  pay: 'b!',
} as const

/** Where the proxies shall be, and for how long. */
export interface Wanted {
  readonly productId: number
  readonly countryCode: string
  /** Empty for any city. */
  readonly cityCode: string
  readonly term: Term
}

/** All that a purchase needs. */
export interface Choice extends Wanted {
  readonly count: number
}

/** A static product in one place. */
export type Offer = CatalogItem & { readonly countryCode: string; readonly cityCode: string }

const TERMS: readonly Term[] = [
  { days: 1 },
  { days: 3 },
  { days: 7 },
  { days: 14 },
  { months: 1 },
  { months: 3 },
  { months: 6 },
  { months: 12 },
]
/** Limit of one order (contract 5). */
const MAX_COUNT = 500
/** Before the number of a page in a list; no code of a place begins with it. */
const PAGE_MARK = '~'

/** What the chat sells: exclusive static products with stock. */
export function forSale(items: readonly CatalogItem[]): Offer[] {
  return items.filter(
    (item): item is Offer =>
      !isDynamic(item.proxyType) && !isShared(item) && item.stock > 0 && item.countryCode !== null,
  )
}

/** The terms of which a product sells whole billing periods. */
export function termsOf(offer: Offer): Term[] {
  return TERMS.filter((term) => periodsIn(term, billingPeriod(offer)) !== undefined)
}

export function stockOf(offers: readonly Offer[]): number {
  return offers.reduce((total, { stock }) => total + stock, 0)
}

/** What somebody may order at most: the stock, within the limit of one order. */
export function maxCount(offers: readonly Offer[]): number {
  return Math.min(stockOf(offers), MAX_COUNT)
}

/** A button that carries what is wanted, and whatever else its action needs. */
export function packWanted(action: string, wanted: Wanted, ...more: (string | number)[]): string {
  return pack(action, wanted.productId, wanted.countryCode, wanted.cityCode, packTerm(wanted.term), ...more)
}

/** A button that leads to another page of the list that `data` leads to. */
export function packPage(data: string, page: number): string {
  return pack(data, PAGE_MARK + page)
}

/** The steps that the parameters of a button stand for; undefined where one is missing, or makes no sense. */
export interface Steps {
  readonly productId: number | undefined
  readonly countryCode: string | undefined
  readonly cityCode: string | undefined
  readonly term: Term | undefined
  readonly count: number | undefined
  /** Page of the list. */
  readonly page: number
  /** What follows the choice. */
  readonly more: readonly string[]
}

export function unpackSteps(parameters: readonly string[]): Steps {
  const marked = parameters.at(-1)?.startsWith(PAGE_MARK) ? parameters.at(-1) : undefined
  const [product, countryCode, cityCode, term, count, ...more] = marked ? parameters.slice(0, -1) : parameters
  return {
    productId: wholeNumber(product),
    countryCode,
    cityCode,
    term: TERMS.find((each) => packTerm(each) === term),
    count: wholeNumber(count),
    page: wholeNumber(marked?.slice(1)) ?? 1,
    more,
  }
}

/** The choice of a button that is about a whole purchase; undefined for a forged one. */
export function choiceOf({ productId, countryCode, cityCode, term, count }: Steps): Choice | undefined {
  if (productId === undefined || !countryCode || cityCode === undefined || !term || !count) return undefined
  return { productId, countryCode, cityCode, term, count }
}

/** Action and steps of callback data. */
export function unpackPurchase(data: string): [action: string, steps: Steps] {
  const [action, ...parameters] = unpack(data)
  return [action, unpackSteps(parameters)]
}

/** A term as it stands in a button: `m3`, `d7`. */
export function packTerm(term: Term): string {
  return 'days' in term ? `d${term.days}` : `m${term.months}`
}
