import type { StockInPlace } from '../../../core/catalog/list-stock.ts'
import type { ProductOverview } from '../../../core/catalog/manage-products.ts'
import { PRODUCT_SCOPE } from '../../../core/catalog/prices.ts'
import { billingPeriod, OWN_STOCK, POOLS, PRODUCT_TYPE, PROXY_TYPES } from '../../../core/catalog/product.ts'
import { LANGUAGES } from '../../../core/languages.ts'
import { toText } from '../../../core/money.ts'
import { textFields, translationIn, translationsOf } from '../../../core/translations.ts'
import { CATALOG } from '../../actions/catalog.ts'
import { operatorButton } from '../../actions/operator.ts'
import { STOCK } from '../../actions/stock.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import type { Typed } from '../../kit/form.ts'
import { amount, placeName, termName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { listed } from '../../kit/some-of.ts'
import { tiersText } from '../../kit/tiers.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { isNameField, type NameField, NEW_PRODUCT, PRODUCT_EDIT } from './product-form.ts'

const PRODUCTS_PER_PAGE = 8
const PLACES_PER_PAGE = 20

const productsButton = ({ catalog }: Texts): Button => ({
  text: catalog.buttons.products,
  data: CATALOG.products.data(),
})

export function productsScreen(
  { texts, language }: View,
  products: readonly ProductOverview[],
  wanted: number,
): Screen {
  const { catalog } = texts
  const { items, page, pages } = pageOf(products, wanted, PRODUCTS_PER_PAGE)
  return {
    text: products.length === 0 ? catalog.none : catalog.title(products.length),
    buttons: [
      ...items.map((product) => [
        {
          text: catalog.button(
            product.enabled ? '▶️' : '⏸',
            product.productNo,
            translationIn(product.names, language),
          ),
          name: translationIn(product.names, language),
          data: CATALOG.product.data({ productNo: product.productNo }),
        },
      ]),
      ...pager(texts, page, pages, (to) => CATALOG.products.data({ page: to })),
      [{ text: catalog.buttons.create, data: CATALOG.create.data() }],
      [{ text: texts.stock.buttons.stock, data: STOCK.home.data() }, operatorButton(texts)],
    ],
  }
}

/** @param note outcome of the last change */
export function productScreen(view: View, product: ProductOverview, note?: Html): Screen {
  const { texts } = view
  const { buttons } = texts.catalog
  const { productNo, enabled } = product
  return {
    text: lines(...(note ? [note, '' as const] : []), productText(view, product)),
    buttons: [
      [
        { text: buttons.prices, data: CATALOG.prices.data({ productNo }) },
        { text: buttons.stock, data: CATALOG.stock.data({ productNo }) },
      ],
      [
        { text: buttons.edit, data: CATALOG.edit.data({ productNo }) },
        enabled
          ? { text: buttons.disable, data: CATALOG.enable.data({ productNo, on: false }), style: 'danger' }
          : { text: buttons.enable, data: CATALOG.enable.data({ productNo, on: true }), style: 'success' },
      ],
      [productsButton(texts), operatorButton(texts)],
    ],
  }
}

function productText(view: View, product: ProductOverview): Html {
  const { texts, language } = view
  const { catalog } = texts
  const { productNo, names, enabled, proxyType, productType, pool, gateway, supplier } = product
  const description = product.descriptions[language] ?? ''
  const others = LANGUAGES.filter((each) => each !== language).flatMap((each) => names[each] ?? [])
  return lines(
    catalog.product(productNo, translationIn(names, language), others.join(' · ')),
    description === '' ? undefined : catalog.description(description),
    '',
    catalog.states[enabled ? 'on' : 'off'],
    catalog.kind(proxyType, productType === PRODUCT_TYPE.shared),
    pool === null
      ? catalog.period(termName(billingPeriod(product), texts))
      : catalog.pool(pool, gateway ?? ''),
    supplier === OWN_STOCK ? undefined : catalog.supplier(supplier),
    pool === null ? catalog.stockLine(product.free, product.sold) : undefined,
    '',
    pricesText(view, product),
  )
}

/** All prices, grouped by whom they are for. */
function pricesText({ texts, currency }: View, product: ProductOverview): Html {
  const { catalog } = texts
  const { prices, marginBps, marginAmount } = product
  const scopes = [...new Set(prices.map(({ scope }) => scope))].toSorted(
    (a, b) => Number(b === PRODUCT_SCOPE) - Number(a === PRODUCT_SCOPE),
  )
  return lines(
    catalog.priceTitle,
    marginBps === null && marginAmount === null
      ? undefined
      : catalog.margin(`${(marginBps ?? 0) / 100} %`, amount(marginAmount ?? 0, currency)),
    ...listed(
      texts,
      scopes.map((scope) => {
        const tiers = pricesIn(product, scope)
        return catalog.priceLine(whose(texts, scope, tiers[0]?.username), tiersText(texts, tiers))
      }),
    ),
  )
}

/** The tiers of a scope, by ascending quantity. */
export function pricesIn({ prices }: ProductOverview, scope: string) {
  return prices.filter((price) => price.scope === scope).toSorted((a, b) => a.minQuantity - b.minQuantity)
}

function whose({ catalog }: Texts, scope: string, username: string | null = null): string {
  if (scope === PRODUCT_SCOPE) return catalog.everybody
  return username ?? catalog.level(scope.slice('level:'.length))
}

/** The stock of a product by place; for a supplied product, its offers. */
export function placesScreen(
  view: View,
  product: ProductOverview,
  stock: readonly StockInPlace[],
  wanted: number,
): Screen {
  const { texts, language, currency } = view
  const { catalog } = texts
  const { productNo, places } = product
  const own = stock.filter((place) => place.productNo === productNo)
  const all =
    places.length > 0
      ? places.map((place) =>
          catalog.offerLine(
            placeName(place, language),
            place.offerNo,
            amount(place.cost, currency),
            place.price === null ? '-' : amount(place.price, currency),
          ),
        )
      : own.map(({ free, held, resting, disabled, leastCost, mostCost, ...place }) =>
          catalog.placeLine(
            placeName(place, language),
            free,
            [
              held === null ? '' : catalog.others(held, resting ?? 0, disabled ?? 0),
              leastCost === null || mostCost === null
                ? ''
                : catalog.monthlyCost(
                    leastCost === mostCost ? toText(leastCost) : `${toText(leastCost)}–${toText(mostCost)}`,
                  ),
            ].join(''),
          ),
        )
  const { items, page, pages } = pageOf(all, wanted, PLACES_PER_PAGE)
  return {
    text: lines(
      catalog.product(productNo, translationIn(product.names, language), catalog.buttons.stock),
      '',
      ...(items.length > 0 ? items : [catalog.noStock]),
    ),
    buttons: [
      ...pager(texts, page, pages, (to) => CATALOG.stock.data({ productNo, page: to })),
      [{ text: texts.buttons.back, data: CATALOG.product.data({ productNo }) }, operatorButton(texts)],
    ],
  }
}

/** What is asked of a new product, by the field that it fills; `confirm` when everything is there. */
export type Step = 'productNo' | NameField | 'proxyType' | 'pool' | 'gateway' | 'prices' | 'confirm'

/** The answer that the name is the same as in another language. */
export const SAME_NAME = 'same'

/** @param typed what was understood so far */
export function newProductPrompt(texts: Texts, typed: Typed, step: Step): Prompt {
  const { catalog, buttons } = texts
  const understood = asTyped(texts, typed)
  const answers = answersTo(texts, typed, step)
  return {
    text: lines(
      step === 'confirm' ? catalog.confirmNew : catalog.titleNew,
      '',
      ...(understood === '' ? [] : [catalog.understood(understood), '' as const]),
      ...(step === 'confirm'
        ? [catalog.changeNew(labelsOf(texts, NEW_PRODUCT))]
        : [
            catalog.askNew[step],
            step === 'prices' && typed['supplier'] !== undefined ? catalog.orMargin : undefined,
            ...(understood === '' ? ['' as const, catalog.allAtOnce] : []),
          ]),
    ),
    buttons: [...answers, [{ text: buttons.cancel, data: CATALOG.products.data() }]],
  }
}

function answersTo({ catalog }: Texts, typed: Typed, step: Step): AnswerButton[][] {
  if (isNameField(step))
    return translationsOf(typed, 'name') ? [[{ text: catalog.buttons.sameName, answer: SAME_NAME }]] : []
  switch (step) {
    case 'proxyType':
      return PROXY_TYPES.map((type) => [{ text: catalog.types[type], answer: String(type) }])
    case 'pool':
      return [POOLS.map((pool) => ({ text: pool, answer: pool }))]
    case 'confirm':
      return [[{ text: catalog.buttons.createNow, answer: 'create', style: 'success' }]]
    default:
      return []
  }
}

export function editScreen(texts: Texts, product: ProductOverview): Screen {
  const { catalog } = texts
  return promptScreen(
    texts,
    lines(
      catalog.askEdit(product.productNo, valuesOf(texts, product)),
      catalog.alsoPossible(labelsOf(texts, PRODUCT_EDIT)),
    ),
    CATALOG.product.data({ productNo: product.productNo }),
  )
}

function labelsOf({ catalog, list }: Texts, fields: object): string {
  const { labels } = catalog
  return list(Object.keys(fields).map((field) => labels[field as keyof typeof labels]))
}

/** A product as the lines in which it would be typed. */
function valuesOf(texts: Texts, product: ProductOverview): string {
  const { flags } = texts.catalog
  const flag = (on: boolean) => (on ? flags.on : flags.off)
  const dynamic = product.pool !== null
  return asTyped(texts, {
    ...textFields('name', product.names),
    ...textFields('description', product.descriptions),
    shelf: product.shelf,
    refundHours: product.refundHours,
    lowStock: product.lowStock,
    lowStockPlace: product.lowStockPlace,
    ...(dynamic
      ? {
          gateway: product.gateway ?? '',
          countries: product.countries,
          cities: product.cities,
        }
      : {
          cidrSupported: flag(product.cidrSupported),
          assignIpSupported: flag(product.assignIpSupported),
          replacePolicy: product.replacePolicy,
          replaceLimit: product.replaceLimit,
        }),
    ...(product.productType === PRODUCT_TYPE.shared && {
      projects: product.projects.map(({ code, name }) => `${code}=${name}`),
    }),
    ...(product.marginBps !== null && { marginPercent: product.marginBps / 100 }),
    ...(product.marginAmount !== null && { marginAmount: toText(product.marginAmount) }),
  })
}

/** Values of a product as the lines in which they would be typed; an empty list is a hyphen. */
export function asTyped({ catalog, field, list }: Texts, values: ProductValues): string {
  const written = Object.entries(values) as [keyof ProductValues, string | number | readonly string[]][]
  return written
    .map(([name, value]) =>
      field(catalog.labels[name], typeof value === 'object' ? list(value) || '-' : value),
    )
    .join('\n')
}

/** Values of a product, by the names of their labels. */
export type ProductValues = Partial<
  Readonly<Record<keyof Texts['catalog']['labels'], string | number | readonly string[]>>
>

export function pricesPrompt(view: View, product: ProductOverview): Screen {
  const { texts } = view
  const { productNo } = product
  return promptScreen(
    texts,
    lines(
      texts.catalog.product(productNo, translationIn(product.names, view.language), ''),
      pricesText(view, product),
      '',
      texts.catalog.askPrices,
    ),
    CATALOG.product.data({ productNo }),
  )
}

interface Tier {
  readonly minQuantity: number
  readonly price: number
}

/**
 * Shows how prices would change, and asks for confirmation.
 *
 * @param name whose prices they are; undefined for everybody's
 * @param before in micros, as `after`
 */
export function pricesPreview(
  { texts, currency }: View,
  productNo: string,
  name: string | undefined,
  before: readonly Tier[],
  after: readonly Tier[],
): Prompt {
  const { catalog, buttons } = texts
  const money = (micros: number) => amount(micros, currency)
  const old = new Map(before.map(({ minQuantity, price }) => [minQuantity, price]))
  const kept = new Set(after.map(({ minQuantity }) => minQuantity))
  return {
    text: lines(
      catalog.preview(name ?? catalog.everybody),
      '',
      ...after.map(({ minQuantity, price }) => {
        const was = old.get(minQuantity)
        if (was === undefined) return catalog.change.added(minQuantity, money(price))
        return was === price
          ? catalog.change.same(minQuantity, money(price))
          : catalog.change.changed(minQuantity, money(was), money(price))
      }),
      ...before
        .filter(({ minQuantity }) => !kept.has(minQuantity))
        .map(({ minQuantity, price }) => catalog.change.removed(minQuantity, money(price))),
      ...(after.some(({ price }) => price === 0) ? ['' as const, catalog.free] : []),
    ),
    buttons: [
      [
        after.length > 0
          ? { text: catalog.buttons.setNow, answer: 'set', style: 'success' }
          : { text: catalog.buttons.removeNow, answer: 'set', style: 'danger' },
      ],
      [{ text: buttons.cancel, data: CATALOG.product.data({ productNo }) }],
    ],
  }
}
