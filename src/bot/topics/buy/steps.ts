import { countryName } from '../../../core/catalog/places.ts'
import { type Language, LANGUAGE_FACTS } from '../../../core/languages.ts'
import { isDynamic, isShared } from '../../../core/catalog/product.ts'
import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import { ORDER_LIMITS } from '../../../core/orders/static-order-input.ts'
import { type Step, STEPS } from '../../actions/buy.ts'
import { packTerm, termsOf } from '../../kit/terms.ts'
import type { Purchase } from './purchase.ts'

/** A static product in one place. */
export type Offer = CatalogItem & { readonly countryCode: string; readonly cityCode: string }
export type Offers = readonly [Offer, ...Offer[]]

/** What the chat sells per IP: static products with stock. */
export function forSale(items: readonly CatalogItem[]): Offer[] {
  return items.filter(
    (item): item is Offer => !isDynamic(item.proxyType) && item.stock > 0 && item.countryCode !== null,
  )
}

export function stockOf(offers: readonly Offer[]): number {
  return offers.reduce((total, { stock }) => total + stock, 0)
}

/** Returns the most that one order can have: the shop's own stock, or the largest single offer of a supplier, up to the order limit. */
export function maxCount(offers: readonly Offer[]): number {
  const own = stockOf(offers.filter(({ maxCount: most }) => most === null))
  const offered = offers.map(({ maxCount: most }) => most ?? 0)
  return Math.min(Math.max(own, ...offered), ORDER_LIMITS.ips)
}

/** The offer with the lowest price. */
export function cheapest(offers: Offers): Offer {
  return offers.reduce((best, offer) => (offer.price < best.price ? offer : best))
}

/** Returns the term of the purchase if another product is sold for it, too. */
export function sameTerm({ before, chosen: { term } }: Progress, productNo: string): string | undefined {
  const offer = before.product?.find((each) => each.productNo === productNo)
  return (
    offer &&
    termsOf(offer)
      .map(packTerm)
      .find((each) => each === term)
  )
}

/** Tells whether the offers have different prices. */
export function pricesDiffer(offers: readonly Offer[]): boolean {
  return new Set(offers.map(({ price }) => price)).size > 1
}

interface Rule {
  /** The options to choose from; `typed` where there is no list. */
  readonly options: (offers: Offers) => readonly string[] | 'typed'
  /** Whether an offer matches a choice. */
  readonly keeps: (offer: Offer, value: string) => boolean
  /** The default; undefined when the person must choose. */
  readonly first: (options: readonly string[], offers: Offers) => string | undefined
}

/** The rule of each step, applied to the offers that match the choices of the steps before. */
export const RULES: Readonly<Record<Step, Rule>> = {
  product: {
    options: (offers) => unique(offers.map(({ productNo }) => productNo)),
    keeps: (offer, value) => offer.productNo === value,
    first: ([first]) => first,
  },
  project: {
    options: (offers) => {
      if (!isShared(offers[0])) return ['']
      const projects = unique(offers.flatMap((offer) => offer.projects.map(({ code }) => code)))
      return projects.length > 0 ? projects : 'typed'
    },
    keeps: ({ projects }, value) => projects.length === 0 || projects.some(({ code }) => code === value),
    first: ([first, ...others]) => (others.length === 0 ? first : undefined),
  },
  country: {
    options: (offers) => unique(offers.map(({ countryCode }) => countryCode)),
    keeps: (offer, value) => offer.countryCode === value,
    first: (options, offers) => byStock(options, offers)[0],
  },
  city: {
    options: (offers) => {
      const cities = unique(offers.map(({ cityCode }) => cityCode))
      return cities.length > 1 ? [...cities.filter((city) => city !== ''), ''] : cities
    },
    keeps: (offer, value) => value === '' || offer.cityCode === value,
    first: (options) => options.at(-1),
  },
  term: { options: ([offer]) => termsOf(offer).map(packTerm), keeps: () => true, first: ([first]) => first },
}

/** How far a purchase has come, with the catalogue of this moment. */
export interface Progress {
  /** The step at which the person must choose; undefined when nothing is left to choose. */
  readonly step: Step | undefined
  /** The offers that match the choices so far. */
  readonly offers: Offers
  /** For each step that was reached, the offers that it chooses from. */
  readonly before: Partial<Readonly<Record<Step, Offers>>>
  /** The person's choices, and defaults for the other steps. */
  readonly chosen: Purchase['chosen']
  /** Whether the choice of `step` is not for sale any more. */
  readonly gone: boolean
}

/** Follows the choices of a purchase as far as they are valid, with defaults where nothing is chosen (rules 5.25). */
export function progressOf({ chosen: wanted }: Purchase, all: Offers): Progress {
  const chosen: Purchase['chosen'] = {}
  const before: Partial<Record<Step, Offers>> = {}
  let offers = all
  for (const step of STEPS) {
    before[step] = offers
    const options = RULES[step].options(offers)
    const value = valueOf(step, options, offers, wanted[step])
    const [first, ...others] =
      value === undefined ? [] : offers.filter((offer) => RULES[step].keeps(offer, value))
    if (value === undefined || !first)
      return { step, offers, before, chosen, gone: wanted[step] !== undefined }
    chosen[step] = value
    offers = [first, ...others]
  }
  return { step: undefined, offers, before, chosen, gone: false }
}

/** Returns the choice at a step, or its default. A choice that is gone is not replaced: it has to be made again. */
function valueOf(
  step: Step,
  options: readonly string[] | 'typed',
  offers: Offers,
  wanted: string | undefined,
): string | undefined {
  if (options === 'typed') return wanted
  return wanted === undefined
    ? RULES[step].first(options, offers)
    : options.find((option) => option === wanted)
}

const MOST_STOCKED = 4

/**
 * Places in the order in which they are looked for: the few that are stocked most, then the others by their name (rules 5.25).
 *
 * @param name of a place in the language of the chat
 */
export function placesInOrder(
  codes: readonly string[],
  offers: Offers,
  step: 'country' | 'city',
  language: Language,
  name: (code: string) => string = (code) => countryName(code, language),
): string[] {
  const most = byStock(codes, offers, step).slice(0, MOST_STOCKED)
  const collator = new Intl.Collator(LANGUAGE_FACTS[language].locale)
  const others = codes.filter((code) => !most.includes(code))
  return [...most, ...others.toSorted((a, b) => collator.compare(name(a), name(b)))]
}

function byStock(codes: readonly string[], offers: Offers, step: 'country' | 'city' = 'country'): string[] {
  const stock = new Map(
    codes.map((code) => [code, stockOf(offers.filter((offer) => RULES[step].keeps(offer, code)))]),
  )
  return codes.toSorted((a, b) => (stock.get(b) ?? 0) - (stock.get(a) ?? 0))
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}
