import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import type { ProductFlow } from '../../../core/traffic/remaining-traffic.ts'
import type { Translations } from '../../../core/translations.ts'

/** A dynamic product: one that is sold, one of which somebody has traffic, or both. */
export interface TrafficProduct {
  readonly productId: number
  readonly productNo: string
  readonly names: Translations
  /** Where its exits are; empty: everywhere. */
  readonly countries: readonly string[]
  /** Undefined when it is not sold any more. */
  readonly offer: CatalogItem | undefined
  /** Undefined when it was never bought. */
  readonly flow: ProductFlow | undefined
}

/** Returns the products in the order of the catalogue, then those of the owner that are no longer sold. */
export function trafficProducts(
  offers: readonly CatalogItem[],
  flows: readonly ProductFlow[],
): TrafficProduct[] {
  const sold = offers.map((offer): TrafficProduct => ({
    ...offer,
    offer,
    flow: flows.find(({ productId }) => productId === offer.productId),
  }))
  const retired = flows
    .filter(({ productId }) => offers.every((offer) => offer.productId !== productId))
    .map((flow): TrafficProduct => {
      const { productId, productNo, productNames: names, countries } = flow
      return { productId, productNo, names, countries, offer: undefined, flow }
    })
  return [...sold, ...retired]
}
