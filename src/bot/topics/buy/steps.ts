import { isDynamic, isShared } from '../../../core/catalog/product.ts'
import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import { ORDER_LIMITS } from '../../../core/orders/static-order-input.ts'
import { packTerm, termsOf } from '../../kit/terms.ts'
import { type Purchase, type Step, STEPS } from './purchase.ts'

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

/** What somebody may order at most, within the limit of one order: the stock; of suppliers' offers, from which one is bought, the largest. */
export function maxCount(offers: readonly Offer[]): number {
  const own = stockOf(offers.filter(({ maxCount: most }) => most === null))
  const offered = offers.map(({ maxCount: most }) => most ?? 0)
  return Math.min(Math.max(own, ...offered), ORDER_LIMITS.ips)
}

/** The offer with the lowest price. */
export function cheapest(offers: Offers): Offer {
  return offers.reduce((best, offer) => (offer.price < best.price ? offer : best))
}

/** Whether the places have prices of their own. */
export function pricesDiffer(offers: readonly Offer[]): boolean {
  return new Set(offers.map(({ price }) => price)).size > 1
}

interface Rule {
  /** What can be chosen; `typed` when it is no list. */
  readonly options: (offers: Offers) => readonly string[] | 'typed'
  /** Whether an offer is left after a choice. */
  readonly keeps: (offer: Offer, value: string) => boolean
}

/** What there is to choose at each step among the offers that the steps before have left. */
export const RULES: Readonly<Record<Step, Rule>> = {
  product: {
    options: (offers) => unique(offers.map(({ productNo }) => productNo)),
    keeps: (offer, value) => offer.productNo === value,
  },
  project: {
    options: (offers) => {
      if (!isShared(offers[0])) return ['']
      const projects = unique(offers.flatMap((offer) => offer.projects.map(({ code }) => code)))
      return projects.length > 0 ? projects : 'typed'
    },
    keeps: ({ projects }, value) => projects.length === 0 || projects.some(({ code }) => code === value),
  },
  country: {
    options: (offers) => unique(offers.map(({ countryCode }) => countryCode)),
    keeps: (offer, value) => offer.countryCode === value,
  },
  city: {
    options: (offers) => {
      const cities = unique(offers.map(({ cityCode }) => cityCode))
      return cities.length > 1 ? [...cities.filter((city) => city !== ''), ''] : cities
    },
    keeps: (offer, value) => value === '' || offer.cityCode === value,
  },
  term: { options: ([offer]) => termsOf(offer).map(packTerm), keeps: () => true },
}

/** How far a purchase has come, with the catalogue of this moment. */
export interface Progress {
  /** What has to be chosen next; undefined when only the number is left. */
  readonly step: Step | undefined
  /** The offers that the choices so far have left. */
  readonly offers: Offers
  /** What is chosen, and what had only one choice. */
  readonly chosen: Purchase['chosen']
  /** The last step before this at which there was a choice. */
  readonly back: Step | undefined
  /** What was chosen for this step is not for sale any more. */
  readonly gone: boolean
}

/** Follows the choices of a purchase as far as they are valid; a step after the product with one choice is taken by itself. */
export function progressOf({ chosen: wanted }: Purchase, all: Offers): Progress {
  const chosen: Purchase['chosen'] = {}
  let offers = all
  let back: Step | undefined
  for (const step of STEPS) {
    const options = RULES[step].options(offers)
    const value = options === 'typed' ? wanted[step] : pick(step, options, wanted[step])
    const [first, ...others] =
      value === undefined ? [] : offers.filter((offer) => RULES[step].keeps(offer, value))
    if (value === undefined || !first) return { step, offers, chosen, back, gone: wanted[step] !== undefined }
    chosen[step] = value
    offers = [first, ...others]
    if (step === 'product' || options.length !== 1) back = step
  }
  return { step: undefined, offers, chosen, back, gone: false }
}

/**
 * The choice at a step. One that is gone is not replaced by the only one left, which has to be chosen; so has a product, even
 * the only one, because its price is shown there.
 */
function pick(step: Step, options: readonly string[], wanted: string | undefined): string | undefined {
  if (wanted !== undefined) return options.find((option) => option === wanted)
  return options.length === 1 && step !== 'product' ? options[0] : undefined
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}
