import { cityName } from '../../../core/catalog/places.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { named } from '../../kit/columns.ts'
import { describedProducts, descriptionLines } from '../../kit/descriptions.ts'
import { toText } from '../../../core/money.ts'
import { periodPrice, placeName, pricedUnit, productName } from '../../kit/format.ts'
import { type Html, lines } from '../../kit/html.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { termLabel } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import type { Texts } from '../../texts/index.ts'
import { USERS } from '../users/actions.ts'
import { PURCHASE_STEPS } from './actions.ts'
import { BUY_QUESTION, type Purchase, type Step } from './purchase.ts'
import { cheapest, maxCount, type Offers, pricesDiffer, type Progress, RULES, stockOf } from './steps.ts'

const NUMBERS = [1, 2, 5, 10, 20, 50, 100]
/** Of places with a price each. */
const PRICED_LAYOUT = { width: 1, size: 8 } as const
/** Buttons in a row and on a page, by what their labels need. */
const LAYOUT: Readonly<Record<Step, { readonly width: number; readonly size: number }>> = {
  product: { width: 1, size: 8 },
  project: { width: 1, size: 8 },
  country: { width: 2, size: 16 },
  city: { width: 2, size: 16 },
  term: { width: 2, size: 16 },
}

export function soldOutScreen({ texts }: View): Screen {
  return { text: texts.buy.empty, buttons: [[homeButton(texts)]] }
}

/** A list to choose from. */
export function stepScreen(
  view: View,
  purchase: Purchase,
  step: Step,
  { options, progress, page }: { options: readonly string[] | 'typed'; progress: Progress; page: number },
): Screen {
  const { texts } = view
  if (options === 'typed') return typedStepScreen(view, purchase, progress)
  const choice = (value: string): Button => ({
    text: label(view, step, progress.offers, value),
    data: PURCHASE_STEPS.data(purchase, step, { value }),
  })
  const priced = isPriced(step, progress.offers)
  const { width, size } = priced ? PRICED_LAYOUT : LAYOUT[step]
  const shown = pageOf(options.filter((value) => !isAnyCity(step, options, value)).map(choice), page, size)
  const onPage = pageOf(options, page, size).items
  const described =
    step === 'product'
      ? describedProducts(
          progress.offers.filter(({ productNo }) => onPage.includes(productNo)),
          view.language,
        )
      : []
  return {
    text: lines(
      ...heading(view, purchase, progress),
      '',
      ...(progress.gone ? [goneLine(view, purchase, step), '' as const] : []),
      ...described,
      texts.buy.steps[step],
      ...(step === 'product' ? unitLines(view, progress.offers) : []),
      ...(priced ? [texts.buy.pricedPlaces(pricedUnit(progress.offers[0], view.currency, texts))] : []),
    ),
    buttons: [
      ...grid(shown.items, width),
      ...pager(texts, shown.page, shown.pages, (to) => PURCHASE_STEPS.data(purchase, 'page', { page: to })),
      options.filter((value) => isAnyCity(step, options, value)).map(choice),
      [...backToChoice(texts, purchase, progress), homeButton(texts)],
    ],
  }
}

/** What the prices on the buttons are for: labels have no room for it. */
function unitLines({ texts, language, currency }: View, offers: Offers): Html[] {
  const units = new Map<string, Set<string>>()
  for (const offer of offers) {
    const unit = pricedUnit(offer, currency, texts)
    units.set(unit, (units.get(unit) ?? new Set()).add(productName(offer, language)))
  }
  const [[only = ''] = []] = units
  if (units.size === 1) return [texts.buy.pricedProducts(only, [])]
  return [...units].map(([unit, names]) => texts.buy.pricedProducts(unit, [...names]))
}

/** Whether the list names a price for each place, because they differ. */
function isPriced(step: Step, offers: Offers): boolean {
  return (step === 'country' || step === 'city') && pricesDiffer(offers)
}

/** What was chosen for this step and is not for sale any more. */
function goneLine({ texts, language }: View, { chosen }: Purchase, step: Step): Html {
  const value = chosen[step]
  if (!value || (step !== 'country' && step !== 'city')) return texts.buy.gone
  return texts.buy.placeGone(
    step === 'country' ? placeName({ countryCode: value }, language) : cityName(value, language),
  )
}

/** A shared product that lists no projects. */
function typedStepScreen(view: View, purchase: Purchase, progress: Progress): Screen {
  const { texts } = view
  return {
    text: lines(...heading(view, purchase, progress), '', texts.buy.steps.project),
    buttons: [
      [{ text: texts.buy.typeProjectButton, data: PURCHASE_STEPS.data(purchase, 'type-project') }],
      [...backToChoice(texts, purchase, progress), homeButton(texts)],
    ],
  }
}

/** The choice of no city in particular, which stands below all of them. */
function isAnyCity(step: Step, options: readonly string[], value: string): boolean {
  return step === 'city' && value === '' && options.length > 1
}

function label(view: View, step: Step, offers: Offers, value: string): string {
  const { texts, language } = view
  const [first] = offers
  const [offer = first, ...others] = offers.filter((each) => RULES[step].keeps(each, value))
  const kept: Offers = [offer, ...others]
  switch (step) {
    case 'product': {
      const name = productName(offer, language)
      const price = toText(cheapest(kept).price)
      return named(
        offer.productType === 2 ? texts.buy.shared(name) : name,
        pricesDiffer(kept) ? texts.buy.from(price) : price,
      )
    }
    case 'project':
      return projectName(kept, value)
    case 'country':
      return placeLabel(view, placeName({ countryCode: value }, language), kept, offers)
    case 'city':
      return placeLabel(view, value === '' ? texts.buy.anyCity : cityName(value, language), kept, offers)
    case 'term':
      return termLabel(value, texts)
  }
}

/** @param all the offers of all places in the list */
function placeLabel({ texts: { buy } }: View, place: string, kept: Offers, all: Offers): string {
  const label = buy.placeButton(place, stockOf(kept))
  if (!pricesDiffer(all)) return label
  const price = toText(cheapest(kept).price)
  return buy.pricedPlaceButton(label, pricesDiffer(kept) ? buy.from(price) : price)
}

/** The price of one for one period; the lowest one, where places have different prices. */
function priceOf({ texts, currency }: View, offers: Offers): string {
  const offer = cheapest(offers)
  const price = periodPrice(offer.price, offer, currency, texts)
  return pricesDiffer(offers) ? texts.buy.from(price) : price
}

/** How many, and the ways to say which exactly. */
export function numbersScreen(view: View, purchase: Purchase, progress: Progress): Screen {
  const { texts, currency } = view
  const { offers } = progress
  const offer = cheapest(offers)
  const most = maxCount(offers)
  const quick = NUMBERS.filter((count) => count <= most).map((count): Button => ({
    text: String(count),
    data: PURCHASE_STEPS.data(purchase, 'count', { count }),
  }))
  const tiers = offer.tiers
    .filter(({ minQuantity }) => minQuantity > 1)
    .map(({ minQuantity, price }) => ({
      from: minQuantity,
      price: periodPrice(price, offer, currency, texts),
    }))
  return {
    takes: { question: BUY_QUESTION.howMany, state: { id: purchase.id } },
    text: lines(
      ...heading(view, purchase, progress),
      '',
      texts.buy.number(stockOf(offers), priceOf(view, offers)),
      // An order of a supplier's proxies comes from one place.
      ...(offers.length > 1 && offer.maxCount !== null ? [texts.buy.onePlace(most)] : []),
      ...(tiers.length > 0 ? ['' as const, texts.buy.tiers(tiers)] : []),
    ),
    buttons: [
      ...grid(quick, 4),
      [{ text: texts.buy.otherNumber, data: PURCHASE_STEPS.data(purchase, 'type-count') }],
      offer.cidrSupported
        ? [{ text: texts.buy.ranges.button, data: PURCHASE_STEPS.data(purchase, 'ranges', { page: 1 }) }]
        : [],
      offer.assignIpSupported
        ? [{ text: texts.buy.addresses.button, data: PURCHASE_STEPS.data(purchase, 'type-ips') }]
        : [],
      [...backToChoice(texts, purchase, progress), homeButton(texts)],
    ],
  }
}

/**
 * Something about a purchase has to be typed.
 *
 * @param question without what was chosen so far, which stands above it
 * @param cancel callback data
 */
export function purchasePrompt(
  view: View,
  purchase: Purchase,
  progress: Progress,
  question: Html,
  cancel: string,
): Screen {
  const text = lines(...heading(view, purchase, progress), '', question)
  return promptScreen(view.texts, text, cancel)
}

/** What was chosen so far, at the top of every step. */
export function heading({ texts, language }: View, purchase: Purchase, progress: Progress): (Html | '')[] {
  const { chosen, offers } = progress
  const [offer] = offers
  const { project, country, city = '', term } = chosen
  const { forUser } = purchase
  const facts = [
    ...(forUser === undefined ? [] : [texts.buy.chosen.user(forUser)]),
    ...(chosen.product === undefined
      ? []
      : [texts.buy.chosen.product(productName(offer, language)), ...descriptionLines(offer, language)]),
    ...(project ? [texts.buy.chosen.project(projectName(offers, project))] : []),
    ...(country === undefined
      ? []
      : [texts.buy.chosen.place(placeName({ countryCode: country, cityCode: city }, language))]),
    ...(term === undefined ? [] : [texts.buy.chosen.term(termLabel(term, texts))]),
  ]
  return facts.length === 0 ? [texts.buy.title] : [texts.buy.title, '', ...facts]
}

function projectName(offers: Offers, project: string): string {
  const projects = offers.flatMap((offer) => offer.projects)
  return projects.find(({ code }) => code === project)?.name ?? project
}

/** Back to the last step at which there was something to choose. */
function backToChoice(texts: Texts, purchase: Purchase, { back }: Progress): Button[] {
  if (back !== undefined) return [backButton(texts, PURCHASE_STEPS.data(purchase, 'back', { to: back }))]
  return purchase.forUser === undefined ? [] : [backButton(texts, USERS.view.data({ id: purchase.userId }))]
}
