import { z } from 'zod'
import { type ProductOverview as Product, ProductRecord } from '../core/catalog/manage-products.ts'
import { OWN_STOCK } from '../core/catalog/product.ts'
import { FALLBACK_LANGUAGE } from '../core/languages.ts'
import { toText } from '../core/money.ts'
import { UNIT } from '../core/term.ts'
import { translationIn } from '../core/translations.ts'
import { action } from './action.ts'
import { counted, table } from './table.ts'

/** All products, whether they are on sale or not. */
export const listProductsAction = action({
  name: 'product list',
  summary: 'list all products with prices and stock',
  answer: z.object({ currency: z.string(), items: ProductRecord.array().schema }),
  reads: true,
  async run({ core, currency }) {
    const products = await core.operator.listProducts()
    return {
      data: { currency, items: products.map(ProductRecord.show) },
      text: products.length === 0 ? 'There are no products yet' : tableOf(products),
    }
  },
})

const HEADING = ['NUMBER', 'NAME', 'TYPE', 'BILLED', 'FREE', 'SOLD', 'ON SALE']

/** Formats the table of products; suppliers and costs are columns where there are any. */
function tableOf(products: readonly Product[]): string {
  const supplied = products.some(({ supplier }) => supplier !== OWN_STOCK)
  const heading = [...HEADING, ...(supplied ? ['SUPPLIER', 'COST'] : []), 'PRICES']
  return table([
    heading,
    ...products.map((product) => [
      ...rowOfProduct(product),
      ...(supplied ? supplyOf(product) : []),
      [...marginTexts(product), ...product.prices.map(priceText)].join(', '),
    ]),
  ])
}

function supplyOf({ supplier, places }: Product): string[] {
  return [supplier === OWN_STOCK ? '-' : supplier, span(places.map(({ cost }) => cost))]
}

function rowOfProduct(product: Product): string[] {
  const { productNo, names, proxyType, productType, free, sold, enabled } = product
  const [freeCount, soldCount] = product.pool ? ['-', '-'] : [String(free), String(sold ?? '-')]
  const kind = `${proxyType}${productType === 2 ? ' shared' : ''}`
  return [
    productNo,
    translationIn(names, FALLBACK_LANGUAGE),
    kind,
    billed(product),
    freeCount,
    soldCount,
    enabled ? 'yes' : 'no',
  ]
}

function billed({ pool, gateway, periodUnit, periodLength }: Product): string {
  if (pool) return `GB of ${pool} at ${gateway}`
  return periodUnit === UNIT.day
    ? counted(periodLength, 'day', 'days')
    : counted(periodLength, 'month', 'months')
}

/** Formats the smallest and the largest amount. */
function span(amounts: readonly number[]): string {
  if (amounts.length === 0) return '-'
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
  return least === most ? toText(least) : `${toText(least)}-${toText(most)}`
}

/** Formats the margins, and the prices that follow from them. */
function marginTexts(product: Product): string[] {
  const { places } = product
  const following = places.flatMap(({ price }) => price ?? [])
  const own = places.filter(({ marginBps, marginAmount }) => marginBps !== null || marginAmount !== null)
  return [
    ...(following.length > 0 ? [span(following)] : []),
    ...marginText('cost', product),
    ...own.flatMap((place) =>
      marginText([place.countryCode, place.cityCode].filter(Boolean).join('/'), place),
    ),
  ]
}

function marginText(
  what: string,
  { marginBps, marginAmount }: Pick<Product, 'marginBps' | 'marginAmount'>,
): string[] {
  const parts = [
    ...(marginBps === null ? [] : [`${marginBps / 100}%`]),
    ...(marginAmount === null ? [] : [toText(marginAmount)]),
  ]
  return parts.length === 0 ? [] : [`${what} + ${parts.join(' or ')}`]
}

function priceText({ scope, username, minQuantity, price }: Product['prices'][number]): string {
  const whom = scope === 'product' ? '' : ` ${username ?? scope.replace(':', ' ')}`
  const from = minQuantity > 1 ? ` from ${minQuantity}` : ''
  return `${toText(price)}${whom}${from}`
}
