import { cityName } from '../../core/catalog/places.ts'
import type { Quote } from '../../core/orders/quote-static-order.ts'
import { pack } from '../callback-data.ts'
import { amount, periodPrice, placeName, productName, termName } from '../format.ts'
import { type Html, lines } from '../html.ts'
import type { Texts } from '../locales/index.ts'
import {
  BUY,
  type Choice,
  maxCount,
  type Offer,
  packPage,
  packTerm,
  packWanted,
  stockOf,
  termsOf,
  type Wanted,
} from '../purchase.ts'
import { type Button, grid, type Screen } from '../screen.ts'
import { backButton, homeButton } from './general.ts'
import { pageOf, pager } from './pager.ts'
import type { View } from './view.ts'

/** A list of offers to choose from. */
export interface Choices {
  /** At least one. */
  readonly offers: readonly [Offer, ...Offer[]]
  /** Page of the list. */
  readonly page: number
  /** Callback data of the step before. */
  readonly back: string
}

const NUMBERS = [1, 2, 5, 10, 20, 50, 100]
const PRODUCTS_PER_PAGE = 8
const PLACES_PER_PAGE = 16

export function soldOutScreen({ texts }: View): Screen {
  return { text: texts.buy.empty, buttons: [[homeButton(texts)]] }
}

export function productsScreen(
  { texts, language, currency }: View,
  { offers, page }: Omit<Choices, 'back'>,
): Screen {
  const buttons = groups(offers, ({ productId }) => productId).map(([offer]): Button => ({
    text: texts.buy.productButton(productName(offer, language), periodPrice(offer, currency, texts)),
    data: pack(BUY.countries, offer.productId),
  }))
  return {
    text: lines(texts.buy.title, '', texts.buy.product),
    buttons: [...listed(texts, buttons, 1, PRODUCTS_PER_PAGE, page, BUY.products), [homeButton(texts)]],
  }
}

/** @param choices offers of one product */
export function countriesScreen(view: View, { offers, page, back }: Choices): Screen {
  const { texts, language } = view
  const { productId } = offers[0]
  const buttons = groups(offers, ({ countryCode }) => countryCode).map(([first, ...others]): Button => ({
    text: texts.buy.placeButton(
      placeName({ countryCode: first.countryCode }, language),
      stockOf([first, ...others]),
    ),
    data: pack(BUY.cities, productId, first.countryCode),
  }))
  return {
    text: lines(texts.buy.title, '', chosenProduct(view, offers[0]), '', texts.buy.country),
    buttons: [
      ...listed(texts, buttons, 2, PLACES_PER_PAGE, page, pack(BUY.countries, productId)),
      [backButton(texts, back), homeButton(texts)],
    ],
  }
}

/** @param choices offers of one product in one country */
export function citiesScreen(view: View, { offers, page, back }: Choices): Screen {
  const { texts, language } = view
  const [{ productId, countryCode }] = offers
  const to = (cityCode: string) => pack(BUY.terms, productId, countryCode, cityCode)
  const named = offers.filter(({ cityCode }) => cityCode !== '')
  const buttons = groups(named, ({ cityCode }) => cityCode).map(([first, ...others]): Button => ({
    text: texts.buy.placeButton(cityName(first.cityCode, language), stockOf([first, ...others])),
    data: to(first.cityCode),
  }))
  return {
    text: lines(
      texts.buy.title,
      '',
      chosenProduct(view, offers[0]),
      chosenPlace(view, countryCode, ''),
      '',
      texts.buy.city,
    ),
    buttons: [
      ...listed(texts, buttons, 2, PLACES_PER_PAGE, page, pack(BUY.cities, productId, countryCode)),
      [{ text: texts.buy.placeButton(texts.buttons.anyCity, stockOf(offers)), data: to('') }],
      [backButton(texts, back), homeButton(texts)],
    ],
  }
}

export function termsScreen(view: View, offer: Offer, cityCode: string, back: string): Screen {
  const { texts } = view
  const buttons = termsOf(offer).map((term): Button => ({
    text: termName(term, texts),
    data: pack(BUY.numbers, offer.productId, offer.countryCode, cityCode, packTerm(term)),
  }))
  const place = chosenPlace(view, offer.countryCode, cityCode)
  return {
    text: lines(texts.buy.title, '', chosenProduct(view, offer), place, '', texts.buy.term),
    buttons: [...grid(buttons, 2), [backButton(texts, back), homeButton(texts)]],
  }
}

/** @param offers where the proxies may come from */
export function numbersScreen(view: View, wanted: Wanted, offers: Choices['offers'], back: string): Screen {
  const { texts, currency } = view
  const [offer] = offers
  const quick = NUMBERS.filter((count) => count <= maxCount(offers)).map((count): Button => ({
    text: String(count),
    data: packWanted(BUY.confirm, wanted, count),
  }))
  const tiers = offer.tiers
    .filter(({ minQuantity }) => minQuantity > 1)
    .map(({ minQuantity, price }) => ({ from: minQuantity, price: amount(price, currency) }))
  return {
    text: lines(
      texts.buy.title,
      '',
      ...chosenSoFar(view, wanted, offer),
      '',
      texts.buy.number(stockOf(offers), periodPrice(offer, currency, texts)),
      ...(tiers.length > 0 ? ['' as const, texts.buy.tiers(tiers)] : []),
    ),
    buttons: [
      ...grid(quick, 4),
      [{ text: texts.buttons.otherNumber, data: packWanted(BUY.typeNumber, wanted) }],
      [backButton(texts, back), homeButton(texts)],
    ],
  }
}

/**
 * Everything that will happen, before it happens.
 *
 * @param draft becomes the order's number: pressing twice buys once
 */
export function confirmScreen(view: View, choice: Choice, offer: Offer, quote: Quote, draft: string): Screen {
  const { texts } = view
  const show = (micros: number) => amount(micros, quote.currency)
  const affordable = quote.balanceAfter >= 0
  // The amount in the button is no price: it is the most that this press may cost, and the server's own price is charged.
  const pay = packWanted(BUY.pay, choice, choice.count, draft, quote.totalAmount.toString(36))
  return {
    text: lines(
      texts.buy.title,
      '',
      ...chosenSoFar(view, choice, offer),
      texts.buy.confirm({
        count: choice.count,
        unitPrice: show(quote.unitPrice),
        periods: quote.periods,
        total: show(quote.totalAmount),
        balance: show(quote.balance),
        after: affordable ? show(quote.balanceAfter) : '—',
      }),
      ...(quote.nextTier
        ? ['' as const, texts.buy.nextTier(quote.nextTier.minQuantity, show(quote.nextTier.price))]
        : []),
      ...(affordable ? [] : ['' as const, texts.buy.short(show(-quote.balanceAfter))]),
    ),
    buttons: [
      affordable
        ? [{ text: texts.buttons.confirm(show(quote.totalAmount)), data: pay, style: 'success' }]
        : [],
      [{ text: texts.buttons.changeNumber, data: packWanted(BUY.numbers, choice) }, homeButton(texts)],
    ],
  }
}

/** The buttons of a page, and below them the way to the other pages. */
function listed(
  texts: Texts,
  buttons: readonly Button[],
  width: number,
  size: number,
  wanted: number,
  data: string,
): Button[][] {
  const { items, page, pages } = pageOf(buttons, wanted, size)
  return [...grid(items, width), ...pager(texts, page, pages, (to) => packPage(data, to))]
}

/** Offers that have a key in common, in their order. */
function groups(offers: readonly Offer[], key: (offer: Offer) => string | number): [Offer, ...Offer[]][] {
  const map = new Map<string | number, [Offer, ...Offer[]]>()
  for (const offer of offers) {
    const group = map.get(key(offer))
    if (group) group.push(offer)
    else map.set(key(offer), [offer])
  }
  return [...map.values()]
}

function chosenProduct({ texts, language }: View, offer: Offer): Html {
  return texts.buy.chosen.product(productName(offer, language))
}

function chosenPlace({ texts, language }: View, countryCode: string, cityCode: string): Html {
  return texts.buy.chosen.place(placeName({ countryCode, cityCode }, language))
}

/** The lines of what was chosen, at the top of the later steps. */
function chosenSoFar(view: View, wanted: Wanted, offer: Offer): Html[] {
  return [
    chosenProduct(view, offer),
    chosenPlace(view, wanted.countryCode, wanted.cityCode),
    view.texts.buy.chosen.term(termName(wanted.term, view.texts)),
  ]
}
