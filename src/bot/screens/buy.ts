import { billingPeriod, isDynamic, isShared } from '../../core/catalog/product.ts'
import type { Language } from '../../core/catalog/places.ts'
import { cityName } from '../../core/catalog/places.ts'
import type { CatalogItem } from '../../core/catalog/query-products.ts'
import type { Quote } from '../../core/orders/quote-static-order.ts'
import { periodsIn, type Term } from '../../core/term.ts'
import { pack } from '../callback-data.ts'
import { amount, periodPrice, placeName, productName, termName } from '../format.ts'
import { type Html, lines } from '../html.ts'
import type { Texts } from '../locales/index.ts'
import { type Button, grid, type Screen } from '../screen.ts'
import { backButton, homeButton } from './general.ts'

/** Actions of the purchase, step by step; each button carries all that was chosen before it. */
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

/** What has been chosen so far. */
export interface Choice {
  readonly productId: number
  readonly countryCode: string
  /** Empty for any city. */
  readonly cityCode: string
  readonly term: Term
  readonly count: number
}

/** How screens are worded: whose currency, which language. */
export interface View {
  readonly texts: Texts
  readonly language: Language
  readonly currency: string
}

const TERMS: readonly Term[] = [{ days: 1 }, { days: 3 }, { days: 7 }, { days: 14 }, { months: 1 }, { months: 3 }, { months: 6 }, { months: 12 }]
const NUMBERS = [1, 2, 5, 10, 20, 50, 100]
/** Limit of one order (contract 5). */
const MAX_COUNT = 500

/** What the chat sells: exclusive static products with stock. */
export function forSale(items: readonly CatalogItem[]): CatalogItem[] {
  return items.filter((item) => !isDynamic(item.proxyType) && !isShared(item) && item.stock > 0)
}

/** The terms of which a product sells whole billing periods. */
export function termsOf(item: CatalogItem): Term[] {
  return TERMS.filter((term) => periodsIn(term, billingPeriod(item)) !== undefined)
}

/** A term as it stands in a button: `m3`, `d7`. */
export function packTerm(term: Term): string {
  return 'days' in term ? `d${term.days}` : `m${term.months}`
}

export function unpackTerm(text: string | undefined): Term | undefined {
  return TERMS.find((term) => packTerm(term) === text)
}

/** What somebody may order at most: the stock, within the limit of one order. */
export function maxCount(items: readonly CatalogItem[]): number {
  return Math.min(sum(items), MAX_COUNT)
}

const sum = (items: readonly CatalogItem[]) => items.reduce((total, item) => total + item.stock, 0)

/** Items grouped by a key, in their order. */
function groups(items: readonly CatalogItem[], key: (item: CatalogItem) => string | number): CatalogItem[][] {
  const map = new Map<string | number, CatalogItem[]>()
  for (const item of items) map.set(key(item), [...(map.get(key(item)) ?? []), item])
  return [...map.values()]
}

export function productsScreen({ texts, language, currency }: View, items: readonly CatalogItem[]): Screen {
  if (items.length === 0) return { text: texts.buy.empty, buttons: [[homeButton(texts)]] }
  const buttons = groups(items, (item) => item.productId).flatMap((group) =>
    group.slice(0, 1).map((item): Button => ({
      text: texts.buy.productButton(productName(item, language), periodPrice(item, currency, texts), sum(group)),
      data: pack(BUY.countries, item.productId),
    })),
  )
  return { text: lines(texts.buy.title, '', texts.buy.product), buttons: [...grid(buttons, 1), [homeButton(texts)]] }
}

/** @param items of one product */
export function countriesScreen(view: View, item: CatalogItem, items: readonly CatalogItem[]): Screen {
  const { texts, language } = view
  const buttons = groups(items, ({ countryCode }) => countryCode ?? '').flatMap((group) =>
    group.slice(0, 1).map(({ countryCode }): Button => ({
      text: texts.buy.placeButton(placeName({ countryCode: countryCode ?? '' }, language), sum(group)),
      data: pack(BUY.cities, item.productId, countryCode ?? ''),
    })),
  )
  return {
    text: lines(texts.buy.title, '', chosenProduct(view, item), '', texts.buy.country),
    buttons: [...grid(buttons, 2), [backButton(texts, BUY.products), homeButton(texts)]],
  }
}

/** @param items of one product in one country */
export function citiesScreen(view: View, item: CatalogItem, items: readonly CatalogItem[], back: string): Screen {
  const { texts, language } = view
  const to = (cityCode: string) => pack(BUY.terms, item.productId, item.countryCode ?? '', cityCode)
  const cities = groups(
    items.filter(({ cityCode }) => cityCode),
    ({ cityCode }) => cityCode ?? '',
  ).flatMap((group) =>
    group.slice(0, 1).map(({ cityCode }): Button => ({
      text: texts.buy.placeButton(cityName(cityCode ?? '', language), sum(group)),
      data: to(cityCode ?? ''),
    })),
  )
  return {
    text: lines(texts.buy.title, '', chosenProduct(view, item), chosenPlace(view, item, ''), '', texts.buy.city),
    buttons: [
      ...grid(cities, 2),
      [{ text: texts.buy.placeButton(texts.buttons.anyCity, sum(items)), data: to('') }],
      [backButton(texts, back), homeButton(texts)],
    ],
  }
}

export function termsScreen(view: View, item: CatalogItem, cityCode: string, back: string): Screen {
  const { texts } = view
  const buttons = termsOf(item).map((term): Button => ({
    text: termName(term, texts),
    data: pack(BUY.numbers, item.productId, item.countryCode ?? '', cityCode, packTerm(term)),
  }))
  return {
    text: lines(texts.buy.title, '', chosenProduct(view, item), chosenPlace(view, item, cityCode), '', texts.buy.term),
    buttons: [...grid(buttons, 2), [backButton(texts, back), homeButton(texts)]],
  }
}

/** @param items where the proxies may come from */
export function numbersScreen(view: View, choice: Omit<Choice, 'count'>, item: CatalogItem, items: readonly CatalogItem[]): Screen {
  const { texts, currency } = view
  const max = maxCount(items)
  const quick = NUMBERS.filter((count) => count <= max).map((count): Button => ({
    text: String(count),
    data: packChoice(BUY.confirm, choice, count),
  }))
  const tiers = item.tiers.filter((tier) => tier.minQuantity > 1).map((tier) => ({ from: tier.minQuantity, price: amount(tier.price, currency) }))
  return {
    text: lines(
      texts.buy.title,
      '',
      ...chosenSoFar(view, choice, item),
      '',
      texts.buy.number(sum(items), periodPrice(item, currency, texts)),
      ...(tiers.length > 0 ? ['' as const, texts.buy.tiers(tiers)] : []),
    ),
    buttons: [
      ...grid(quick, 4),
      [{ text: texts.buttons.otherNumber, data: packChoice(BUY.typeNumber, choice) }],
      [backButton(texts, pack(BUY.terms, choice.productId, choice.countryCode, choice.cityCode)), homeButton(texts)],
    ],
  }
}

/**
 * Everything that will happen, before it happens.
 *
 * @param draft becomes the order's number: pressing twice buys once
 */
export function confirmScreen(view: View, choice: Choice, item: CatalogItem, quote: Quote, draft: string): Screen {
  const { texts } = view
  const show = (micros: number) => amount(micros, quote.currency)
  const affordable = quote.balanceAfter >= 0
  // The amount in the button is no price: it is the most that this press may cost, and the server's own price is charged.
  const pay = packChoice(BUY.pay, choice, choice.count, draft, quote.totalAmount.toString(36))
  return {
    text: lines(
      texts.buy.title,
      '',
      ...chosenSoFar(view, choice, item),
      texts.buy.confirm({
        count: choice.count,
        unitPrice: show(quote.unitPrice),
        periods: quote.periods,
        total: show(quote.totalAmount),
        balance: show(quote.balance),
        after: affordable ? show(quote.balanceAfter) : '—',
      }),
      ...(quote.nextTier ? ['' as const, texts.buy.nextTier(quote.nextTier.minQuantity, show(quote.nextTier.price))] : []),
      ...(affordable ? [] : ['' as const, texts.buy.short(show(-quote.balanceAfter))]),
    ),
    buttons: [
      ...(affordable ? [[{ text: texts.buttons.confirm(show(quote.totalAmount)), data: pay, style: 'success' } as const]] : []),
      [{ text: texts.buttons.changeNumber, data: packChoice(BUY.numbers, choice) }, homeButton(texts)],
    ],
  }
}

/** A button that carries a choice, and whatever else its action needs. */
export function packChoice(action: string, choice: Omit<Choice, 'count'>, ...more: (string | number)[]): string {
  return pack(action, choice.productId, choice.countryCode, choice.cityCode, packTerm(choice.term), ...more)
}

function chosenProduct({ texts, language }: View, item: CatalogItem): Html {
  return texts.buy.chosen.product(productName(item, language))
}

function chosenPlace({ texts, language }: View, { countryCode }: CatalogItem, cityCode: string): Html {
  return texts.buy.chosen.place(placeName({ countryCode: countryCode ?? '', cityCode }, language))
}

/** The lines of what was chosen, at the top of the later steps. */
export function chosenSoFar(view: View, choice: Omit<Choice, 'count'>, item: CatalogItem): Html[] {
  return [
    chosenProduct(view, item),
    chosenPlace(view, item, choice.cityCode),
    view.texts.buy.chosen.term(termName(choice.term, view.texts)),
  ]
}
