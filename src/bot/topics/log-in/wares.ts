import type { CatalogItem, Ware } from '../../../core/catalog/query-products.ts'
import { translationIn } from '../../../core/translations.ts'
import { figure, pricedUnit } from '../../kit/format.ts'
import type { View } from '../../kit/view.ts'

/** A product as strangers see it (rules 2.27). */
export interface Sold<Item extends Ware = Ware> {
  readonly product: Item
  readonly name: string
  /** Codes of the countries; none where a dynamic product leaves everywhere. */
  readonly countries: readonly string[]
  /** The lowest price with its unit. */
  readonly price: string | undefined
}

/** Puts the places of each product together; in the order of the shelf. */
export function soldIn<Item extends Ware & Partial<CatalogItem>>(
  view: View,
  items: readonly Item[],
): Sold<Item>[] {
  const products = new Map<string, Item[]>()
  for (const item of items) products.set(item.productNo, [...(products.get(item.productNo) ?? []), item])
  return [...products.values()].flatMap((places) => {
    const [product] = places
    if (!product) return []
    const codes = places.flatMap(({ countryCode, countries }) =>
      countryCode === null ? countries : [countryCode],
    )
    return {
      product,
      name: translationIn(product.names, view.language),
      countries: [...new Set(codes)],
      price: lowestPrice(view, places),
    }
  })
}

function lowestPrice({ texts, currency }: View, places: readonly Partial<CatalogItem>[]): string | undefined {
  const prices = places.flatMap(({ tiers = [] }) => tiers.map(({ price }) => price))
  if (prices.length === 0) return undefined
  const [{ pool = null, periodLength = 0, periodUnit = 0 } = {}] = places
  const unit =
    pool === null
      ? pricedUnit({ periodLength, periodUnit }, currency, texts)
      : `${currency} / ${texts.units.gigabytes}`
  const lowest = Math.min(...prices)
  const price = `${figure(lowest)} ${unit}`
  return prices.some((each) => each !== lowest) ? texts.prices.from(price) : price
}

/** As many words of a list as there is room for, and how many more there are: `A, B +7`. */
export function firstOf(words: readonly string[], most: number, separator: string): string {
  const more = words.length - most
  return [words.slice(0, most).join(separator), ...(more > 0 ? [`+${more}`] : [])].join(' ')
}
