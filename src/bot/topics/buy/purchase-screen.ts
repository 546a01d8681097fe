import { cityName } from '../../../core/catalog/places.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import { PURCHASE_STEPS, type Step } from '../../actions/buy.ts'
import { USERS } from '../../actions/users.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { amount, placeName } from '../../kit/format.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { listed } from '../../kit/some-of.ts'
import { termLabel } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { heading, projectName } from './heading.ts'
import { priceOf, productLabel, taking } from './picker-screens.ts'
import { promoButton } from '../orders/promo.ts'
import { countOf, type Purchase, type Wanted } from './purchase.ts'
import { payRows, payerOf, proxyQuoteLines, shortLines } from '../orders/quote.ts'
import { maxCount, type Progress, RULES, stockOf } from './steps.ts'

const NUMBERS = [1, 2, 5, 10, 20, 50, 100]

/**
 * The one screen of a purchase: what it is, what it costs, and a button for each choice (rules 5.25).
 *
 * @param quote undefined while it cannot be bought as it is
 * @param note why it cannot, or what has changed
 */
export function purchaseScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  wanted: Wanted,
  quote: Quote | undefined,
  note?: Html,
): Screen {
  const { texts } = view
  const { buy } = texts
  const { offers, chosen } = progress
  const [offer] = offers
  const payer = payerOf(purchase.userId, purchase.forUser)
  const most = maxCount(offers)
  return {
    takes: taking({ id: purchase.id }),
    text: lines(
      ...heading(view, purchase, progress),
      buy.count(countOf(wanted)),
      ...listed(texts, addressesOf(texts, wanted)),
      '',
      ...(quote
        ? proxyQuoteLines(texts, payer, quote, { product: offer, periods: quote.periods, most })
        : [buy.available(stockOf(offers), priceOf(view, offers))]),
      // An order of a supplier's proxies comes from one place.
      ...(offers.length > 1 && offer.maxCount !== null ? [buy.onePlace(most)] : []),
      ...(quote ? shortLines(view, payer, quote) : []),
      ...(note ? ['' as const, note] : []),
      '',
      buy.autoRenew(purchase.autoRenew, termLabel(chosen.term ?? '', texts)),
      buy.refund(offer.refundHours),
      '',
      buy.orType(offer.assignIpSupported),
    ),
    buttons: [
      ...(quote
        ? payRows(view, payer, quote, {
            text: texts.buttons.confirm(amount(quote.totalAmount, quote.currency)),
            // A ceiling, not a price: the most that this press may cost. The server's own price is charged.
            data: PURCHASE_STEPS.data(purchase, 'pay', {
              confirmationKey: purchase.confirmationKey,
              ceiling: quote.totalAmount,
            }),
          })
        : []),
      ...grid(numberButtons(purchase, wanted, most), 5),
      [...placeButtons(view, purchase, progress)],
      [
        pick(purchase, progress, 'term', buy.form.term(termLabel(chosen.term ?? '', texts))),
        choiceButton(
          buy.form.autoRenew,
          purchase.autoRenew,
          PURCHASE_STEPS.data(purchase, 'auto', { on: !purchase.autoRenew }),
        ),
      ].flat(),
      namedButtons(view, purchase, progress, wanted),
      [
        ...pick(purchase, progress, 'project', buy.form.project(projectName(offers, chosen.project ?? ''))),
        ...(quote
          ? [
              promoButton(texts, quote, {
                add: PURCHASE_STEPS.data(purchase, 'type-promo'),
                remove: PURCHASE_STEPS.data(purchase, 'no-promo'),
              }),
            ]
          : []),
      ],
      pick(purchase, progress, 'product', buy.form.product(productLabel(view, offer))),
      [
        ...(purchase.forUser === undefined
          ? []
          : [backButton(texts, USERS.view.data({ id: purchase.userId }))]),
        homeButton(texts),
      ],
    ],
  }
}

/** Returns the button to the list of a step; none where there is nothing to choose. */
function pick(purchase: Purchase, { before }: Progress, step: Step, text: string): Button[] {
  const offers = before[step]
  const options = offers ? RULES[step].options(offers) : []
  return options === 'typed' || options.length > 1
    ? [{ text, data: PURCHASE_STEPS.data(purchase, 'pick', { step, page: 1 }) }]
    : []
}

function numberButtons(purchase: Purchase, wanted: Wanted, most: number): Button[] {
  const chosen = 'count' in wanted ? wanted.count : undefined
  const usual = NUMBERS.filter((count) => count <= most)
  const all =
    chosen === undefined || usual.includes(chosen) ? usual : [...usual, chosen].toSorted((a, b) => a - b)
  return all.map((count) =>
    choiceButton(String(count), count === chosen, PURCHASE_STEPS.data(purchase, 'count', { count })),
  )
}

function placeButtons({ texts, language }: View, purchase: Purchase, progress: Progress): Button[] {
  const { country = '', city = '' } = progress.chosen
  return [
    ...pick(purchase, progress, 'country', placeName({ countryCode: country }, language)),
    ...pick(purchase, progress, 'city', city === '' ? texts.buy.anyCity : `🏙 ${cityName(city, language)}`),
  ]
}

/** The buttons to choose ranges and addresses, where the product allows it. */
function namedButtons(
  { texts: { buy } }: View,
  purchase: Purchase,
  { offers }: Progress,
  wanted: Wanted,
): Button[] {
  const [{ cidrSupported, assignIpSupported }] = offers
  return [
    ...(cidrSupported
      ? [
          choiceButton(
            buy.ranges.button,
            'blocks' in wanted,
            PURCHASE_STEPS.data(purchase, 'ranges', { page: 1 }),
          ),
        ]
      : []),
    ...(assignIpSupported
      ? [
          choiceButton(
            buy.addresses.button,
            'ips' in wanted,
            PURCHASE_STEPS.data(purchase, 'ips', { page: 1 }),
          ),
        ]
      : []),
  ]
}

/** The addresses or ranges that were chosen, one by one. */
function addressesOf({ buy }: Texts, wanted: Wanted): Html[] {
  if ('count' in wanted) return []
  return 'ips' in wanted
    ? wanted.ips.map((ip) => buy.listed(ip))
    : wanted.blocks.map(({ cidr, count }) => buy.listed(cidr, count))
}
