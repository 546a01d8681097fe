import { cityName } from '../../../core/catalog/places.ts'
import { translationIn } from '../../../core/translations.ts'
import { PURCHASE_STEPS, type Step } from '../../actions/buy.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import type { Label } from '../../kit/columns.ts'
import { describedProducts } from '../../kit/descriptions.ts'
import { figure, periodPrice, placeName, pricedUnit } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { grid, type Screen } from '../../kit/screen.ts'
import { termLabel } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { heading, projectName } from './heading.ts'
import { type At, BUYING, type Purchase } from './purchase.ts'
import {
  cheapest,
  type Offer,
  type Offers,
  placesInOrder,
  pricesDiffer,
  type Progress,
  RULES,
  stockOf,
} from './steps.ts'

const PER_PAGE = 8
const TERMS_WIDTH = 2

export function soldOutScreen({ texts }: View): Screen {
  return { text: texts.buy.empty, buttons: [[homeButton(texts)]] }
}

/** The list of a step, or the question for typed input where it has none; a choice leads back to the purchase. */
export function pickerScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  step: Step,
  wanted: number,
): Screen {
  const { texts } = view
  const offers = progress.before[step] ?? progress.offers
  const options = RULES[step].options(offers)
  if (options === 'typed') return askScreen(view, purchase, progress, 'project', texts.buy.typeProject)
  const ordered = inOrder(view, step, options, offers)
  const { items, page, pages } = pageOf(ordered, wanted, PER_PAGE)
  const priced = (step === 'country' || step === 'city') && pricesDiffer(offers)
  const buttons = items.map((value) => {
    const { text, name } = label(view, step, offers, value)
    const data = PURCHASE_STEPS.data(purchase, step, { value })
    return choiceButton(text, progress.chosen[step] === value, data, name)
  })
  return {
    takes: taking({ id: purchase.id }),
    text: lines(
      ...heading(view, purchase, progress),
      '',
      ...(progress.gone && progress.step === step ? [goneLine(view, purchase, step), '' as const] : []),
      ...(step === 'product' ? described(view, offers, items) : []),
      texts.buy.steps[step],
      ...(step === 'product' ? unitLines(view, offers) : []),
      ...(priced ? [texts.buy.pricedPlaces(pricedUnit(offers[0], view.currency, texts))] : []),
    ),
    buttons: [
      ...grid(buttons, step === 'term' ? TERMS_WIDTH : 1),
      ...pager(texts, page, pages, (to) => PURCHASE_STEPS.data(purchase, 'pick', { step, page: to })),
      // A choice that must be made first has no purchase screen to go back to.
      progress.step === undefined
        ? [backButton(texts, PURCHASE_STEPS.data(purchase, 'confirm')), homeButton(texts)]
        : [homeButton(texts)],
    ],
  }
}

/** The other products that are sold in a place that was typed, each with its lowest price there. */
export function elsewhereScreen(
  { texts, language, currency }: View,
  purchase: Purchase,
  all: Offers,
  { country, city }: { readonly country: string; readonly city?: string },
): Screen {
  const there = all.filter((offer) => offer.countryCode === country && (!city || offer.cityCode === city))
  const cheapestOf = new Map<string, Offer>()
  for (const offer of there) {
    const known = cheapestOf.get(offer.productNo)
    if (!known || offer.price < known.price) cheapestOf.set(offer.productNo, offer)
  }
  const place = placeName({ countryCode: country, cityCode: city ?? null }, language)
  return {
    takes: taking({ id: purchase.id }),
    text: lines(texts.buy.title, '', texts.buy.soldElsewhere(place)),
    buttons: [
      ...[...cheapestOf.values()].map((offer) => [
        {
          ...named(
            translationIn(offer.names, language),
            texts.buy.from(`${figure(offer.price)} ${currency}`),
          ),
          data: PURCHASE_STEPS.data(purchase, 'there', {
            product: offer.productNo,
            country,
            city: city ?? '',
          }),
        },
      ]),
      [backButton(texts, PURCHASE_STEPS.data(purchase, 'confirm')), homeButton(texts)],
    ],
  }
}

/** Asks for something that must be typed. */
export function askScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  asks: 'project' | 'promo',
  question: Html,
): Screen {
  const { texts } = view
  const back = backButton(texts, PURCHASE_STEPS.data(purchase, 'confirm'))
  return {
    takes: taking({ id: purchase.id, asks }),
    text: lines(...heading(view, purchase, progress), '', question),
    buttons: [progress.step === undefined ? [back, homeButton(texts)] : [homeButton(texts)]],
  }
}

/** Declares that the conversation of the purchase takes what is typed at a screen. */
export function taking(state: At): { question: string; state: At } {
  return { question: BUYING, state }
}

function inOrder(
  { language, texts }: View,
  step: Step,
  options: readonly string[],
  offers: Offers,
): readonly string[] {
  if (step === 'country') return placesInOrder(options, offers, step, language)
  if (step !== 'city') return options
  const named = options.filter((code) => code !== '')
  const cities = placesInOrder(
    named,
    offers,
    step,
    language,
    (code) => cityName(code, language) || texts.buy.anyCity,
  )
  return options.length > named.length ? ['', ...cities] : cities
}

function described({ language }: View, offers: Offers, products: readonly string[]): (Html | '')[] {
  return describedProducts(
    offers.filter(({ productNo }) => products.includes(productNo)),
    language,
  )
}

/** The units of the prices on the buttons, whose labels have no room for them. */
function unitLines({ texts, language, currency }: View, offers: Offers): Html[] {
  const units = new Map<string, Set<string>>()
  for (const offer of offers) {
    const unit = pricedUnit(offer, currency, texts)
    units.set(unit, (units.get(unit) ?? new Set()).add(translationIn(offer.names, language)))
  }
  const [[only = ''] = []] = units
  if (units.size === 1) return [texts.buy.pricedProducts(only, '')]
  return [...units].map(([unit, names]) => texts.buy.pricedProducts(unit, texts.list([...names])))
}

/** Says that the choice of this step is not for sale any more. */
function goneLine({ texts, language }: View, { chosen }: Purchase, step: Step): Html {
  const value = chosen[step]
  if (!value || (step !== 'country' && step !== 'city')) return texts.buy.gone
  return texts.buy.placeGone(
    step === 'country' ? placeName({ countryCode: value }, language) : cityName(value, language),
  )
}

function label(view: View, step: Step, offers: Offers, value: string): Label {
  const { texts, language } = view
  const [first] = offers
  const [offer = first, ...others] = offers.filter((each) => RULES[step].keeps(each, value))
  const kept: Offers = [offer, ...others]
  switch (step) {
    case 'product': {
      const price = figure(cheapest(kept).price)
      return named(productLabel(view, offer), pricesDiffer(kept) ? texts.buy.from(price) : price)
    }
    case 'project':
      return { text: projectName(kept, value) }
    case 'country':
      return placeLabel(view, placeName({ countryCode: value }, language), kept, offers)
    case 'city':
      return placeLabel(view, value === '' ? texts.buy.anyCity : cityName(value, language), kept, offers)
    case 'term':
      return { text: termLabel(value, texts) }
  }
}

/** `Residential ISP · 4.50` */
function named(name: string, facts: string): Label {
  return { text: `${name} · ${facts}`, name }
}

/** The name of a product, and whether it is shared. */
export function productLabel({ texts, language }: View, offer: Offer): string {
  const name = translationIn(offer.names, language)
  const saysSo = name.toLowerCase().includes(texts.buy.sharedWord)
  return offer.productType === 2 && !saysSo ? texts.buy.shared(name) : name
}

/** @param all the offers of all places in the list */
function placeLabel({ texts: { buy } }: View, place: string, kept: Offers, all: Offers): Label {
  const stock = String(stockOf(kept))
  if (!pricesDiffer(all)) return named(place, stock)
  const price = figure(cheapest(kept).price)
  return named(place, `${stock} · ${pricesDiffer(kept) ? buy.atLeast(price) : price}`)
}

/** The price of one proxy for one period; the lowest one where prices differ. */
export function priceOf({ texts, currency }: View, offers: Offers): string {
  const offer = cheapest(offers)
  const price = periodPrice(offer.price, offer, currency, texts)
  return pricesDiffer(offers) ? texts.buy.from(price) : price
}
