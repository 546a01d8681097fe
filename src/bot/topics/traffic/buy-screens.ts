import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import type { BoughtTraffic } from '../../../core/orders/create-dynamic-order.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import { MAX_GIGABYTES } from '../../../core/bytes.ts'
import { translationIn } from '../../../core/translations.ts'
import type { TrafficChoice, WantedTraffic } from '../../actions/traffic-choice.ts'
import { BUY_TRAFFIC, EXTRACT, TRAFFIC } from '../../actions/traffic.ts'
import { USERS } from '../../actions/users.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { describedProducts, descriptionLines } from '../../kit/descriptions.ts'
import { amount, figure } from '../../kit/format.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { discountLines, promoButton } from '../orders/promo.ts'
import { balanceLine, payRows, type Payer, payerOf, quoteLines, shortLines } from '../orders/quote.ts'
import { type BuyingTraffic, BUYING_TRAFFIC } from './purchase.ts'

/** @param buyer the sub-user it is for; undefined for the person itself */
export function trafficOffersScreen(
  { texts, language }: View,
  offers: readonly CatalogItem[],
  buyer: Payer | undefined,
): Screen {
  const { traffic } = texts
  const back = buyer === undefined ? TRAFFIC.list.data() : USERS.view.data({ id: buyer.id })
  const buttons = offers.map((offer): Button => {
    const name = translationIn(offer.names, language)
    const data = BUY_TRAFFIC.amounts.data({ productId: offer.productId, userId: buyer?.id })
    return { text: `${name} · ${figure(offer.price)} / ${texts.units.gigabytes}`, name, data }
  })
  const forUser = buyer && texts.buy.chosen.user(buyer.username)
  return {
    text:
      offers.length > 0
        ? lines(
            traffic.buy.title,
            '',
            ...(forUser ? [forUser, '' as const] : []),
            ...describedProducts(offers, language),
            traffic.buy.product,
          )
        : traffic.nothing,
    buttons: [...grid(buttons, 1), [backButton(texts, back), homeButton(texts)]],
  }
}

/**
 * The one screen of a purchase: what it costs, and a button for each choice that can be changed (rules 5.25).
 *
 * @param choice what the quote is for
 * @param usual quotes of the usual amounts, dearest last
 * @param confirmationKey becomes the order's number: pressing twice buys once
 * @param isOnly whether it is the only product, so that nobody was asked to choose one
 */
export function trafficPurchaseScreen(
  view: View,
  choice: TrafficChoice,
  offer: CatalogItem,
  quote: Quote,
  {
    usual,
    confirmationKey,
    isOnly,
  }: {
    readonly usual: readonly Quote[]
    readonly confirmationKey: string
    readonly isOnly: boolean
  },
): Screen {
  const { texts } = view
  const { buy } = texts.traffic
  const show = (micros: number) => amount(micros, quote.currency)
  const payer = choice.userId === undefined ? undefined : payerOf(choice.userId, quote.username)
  const { nextTier } = quote
  const cheaper = nextTier && nextTier.minQuantity <= MAX_GIGABYTES ? nextTier : undefined
  return {
    takes: { question: BUYING_TRAFFIC, state: choice satisfies BuyingTraffic },
    text: lines(
      ...chosen(view, offer, payer?.username),
      buy.traffic(choice.gigabytes),
      '',
      ...quoteLines(texts, payer, quote, texts.traffic.price(show(quote.unitPrice))),
      ...(cheaper
        ? ['' as const, buy.nextTier(moreUntil(cheaper.minQuantity, choice.gigabytes), show(cheaper.price))]
        : []),
      ...shortLines(view, payer, quote),
      '',
      buy.orType,
    ),
    buttons: [
      ...payRows(view, payer, quote, {
        text: texts.buttons.confirm(show(quote.totalAmount)),
        // The amount is no price: it is the most that this press may cost, and the server's own price is charged.
        data: BUY_TRAFFIC.pay.data({ ...choice, confirmationKey, ceiling: quote.totalAmount }),
      }),
      ...grid(
        usual.map(({ quantity, totalAmount }) =>
          choiceButton(
            buy.amountButton(quantity, show(totalAmount)),
            quantity === choice.gigabytes,
            BUY_TRAFFIC.confirm.data({ ...choice, gigabytes: quantity }),
          ),
        ),
        2,
      ),
      cheaper && usual.every(({ quantity }) => quantity !== cheaper.minQuantity)
        ? [
            {
              text: buy.takeTier(cheaper.minQuantity, show(cheaper.price * cheaper.minQuantity)),
              data: BUY_TRAFFIC.confirm.data({ ...choice, gigabytes: cheaper.minQuantity }),
            },
          ]
        : [],
      [
        promoButton(texts, quote, {
          add: BUY_TRAFFIC.typePromo.data(choice),
          remove: BUY_TRAFFIC.confirm.data({ ...choice, promo: undefined }),
        }),
      ],
      [backButton(texts, originOf(choice, isOnly)), homeButton(texts)],
    ],
  }
}

/** Asks for a promotion code. */
export function typePromoScreen({ texts }: View, choice: TrafficChoice): Screen {
  const state: BuyingTraffic = { ...choice, asks: 'promo' }
  return {
    takes: { question: BUYING_TRAFFIC, state },
    text: lines(texts.traffic.buy.title, '', texts.buy.promo.question),
    buttons: [[backButton(texts, BUY_TRAFFIC.confirm.data(choice)), homeButton(texts)]],
  }
}

/** The screen right after the payment. */
export function boughtTrafficScreen(
  view: View,
  { productId, userId }: WantedTraffic,
  { order, balance }: BoughtTraffic,
): Screen {
  const { texts, language, currency } = view
  const { buy, buttons, orders } = texts.traffic
  return {
    text: lines(
      buy.done(gigabytes(order.trafficBytes, texts)),
      '',
      orders.number(order.orderNo),
      userId === undefined ? undefined : texts.buy.chosen.user(order.username),
      texts.buy.chosen.product(translationIn(order.productNames, language)),
      ...discountLines(texts, order, currency),
      texts.buy.total(amount(order.totalAmount, currency)),
      balanceLine(texts, userId === undefined ? undefined : order.username, balance, currency),
    ),
    buttons: [
      userId === undefined
        ? [{ text: buttons.extract, data: EXTRACT.form.data({ productId }), style: 'primary' }]
        : [{ text: buy.openUser(order.username), data: USERS.view.data({ id: userId }) }],
      userId === undefined
        ? [{ text: buttons.open, data: TRAFFIC.product.data({ product: productId }) }]
        : [],
      [{ text: buttons.again, data: BUY_TRAFFIC.amounts.data({ productId, userId }) }, homeButton(texts)],
    ],
  }
}

function chosen({ texts, language }: View, offer: CatalogItem, username: string | undefined): (Html | '')[] {
  const { chosen } = texts.buy
  return [
    texts.traffic.buy.title,
    '',
    ...(username === undefined ? [] : [chosen.user(username)]),
    chosen.product(translationIn(offer.names, language)),
    ...descriptionLines(offer, language),
  ]
}

/** Returns callback data of the screen on which the purchase was begun. */
function originOf({ productId, userId }: WantedTraffic, isOnly: boolean): string {
  if (userId === undefined) return TRAFFIC.product.data({ product: productId })
  return isOnly ? USERS.view.data({ id: userId }) : BUY_TRAFFIC.forUser.data({ user: userId })
}

/** `8.5`: GB that are missing to the minimum; counted in thousandths, because 0.1 + 0.2 is not 0.3. */
function moreUntil(minimum: number, now: number): string {
  return String(Math.round((minimum - now) * 1000) / 1000)
}
