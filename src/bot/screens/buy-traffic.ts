import type { CatalogItem } from '../../core/catalog/query-products.ts'
import type { BoughtTraffic } from '../../core/orders/create-dynamic-order.ts'
import type { Quote } from '../../core/orders/quote-static-order.ts'
import { MAX_GIGABYTES } from '../../core/traffic/bytes.ts'
import { pack } from '../callback-data.ts'
import { amount, productName } from '../format.ts'
import { type Html, lines } from '../html.ts'
import { type Button, grid, type Screen } from '../screen.ts'
import {
  BUY_TRAFFIC,
  packChoice,
  packWanted,
  type TrafficChoice,
  type WantedTraffic,
} from '../traffic-purchase.ts'
import { gigabytes } from '../traffic-text.ts'
import { backButton, homeButton, promptScreen } from './general.ts'
import { TRAFFIC, TRAFFIC_TASK } from './traffic.ts'
import type { View } from './view.ts'

/** @param userId for whom; undefined for the person itself */
export function trafficOffersScreen(
  { texts, language, currency }: View,
  offers: readonly CatalogItem[],
  userId: number | undefined,
): Screen {
  const { traffic } = texts
  const back = userId === undefined ? TRAFFIC.list : pack('user', userId)
  const buttons = offers.map((offer): Button => ({
    text: texts.buy.productButton(productName(offer, language), `${amount(offer.price, currency)} / GB`),
    data: packWanted(BUY_TRAFFIC.amounts, { productId: offer.productId, userId }),
  }))
  return {
    text: offers.length > 0 ? lines(traffic.buy.title, '', traffic.buy.product) : traffic.nothing,
    buttons: [...grid(buttons, 1), [backButton(texts, back), homeButton(texts)]],
  }
}

/** @param quotes of the usual amounts, dearest last; at least one */
export function trafficAmountsScreen(
  view: View,
  wanted: WantedTraffic,
  offer: CatalogItem,
  quotes: readonly [Quote, ...Quote[]],
): Screen {
  const { texts, currency } = view
  const { buy } = texts.traffic
  const [quote] = quotes
  const buttons = quotes.map(({ quantity, totalAmount }): Button => ({
    text: buy.amountButton(quantity, amount(totalAmount, currency)),
    data: packChoice(BUY_TRAFFIC.confirm, { ...wanted, gigabytes: quantity }),
  }))
  const tiers = offer.tiers
    .filter(({ minQuantity }) => minQuantity > 1)
    .map(({ minQuantity, price }) => ({ from: minQuantity, price: amount(price, currency) }))
  return {
    text: lines(
      ...chosen(view, wanted, offer, quote),
      texts.traffic.price(amount(offer.price, currency)),
      buy.balance(amount(quote.balance, currency)),
      ...(tiers.length > 0 ? ['' as const, buy.tiers(tiers)] : []),
      '',
      buy.amount,
    ),
    buttons: [
      ...grid(buttons, 2),
      [{ text: buy.otherAmount, data: packWanted(BUY_TRAFFIC.typeAmount, wanted) }],
      wanted.userId === undefined
        ? []
        : [{ text: texts.traffic.buttons.orders, data: pack(TRAFFIC.orders, 1, wanted.userId) }],
      [backButton(texts, originOf(wanted)), homeButton(texts)],
    ],
  }
}

export function typeAmountScreen({ texts }: View, wanted: WantedTraffic): Screen {
  const { buy } = texts.traffic
  return promptScreen(texts, buy.typeAmount(MAX_GIGABYTES), packWanted(BUY_TRAFFIC.amounts, wanted))
}

/**
 * Everything that will happen, before it happens.
 *
 * @param draft becomes the order's number: pressing twice buys once
 */
export function confirmTrafficScreen(
  view: View,
  choice: TrafficChoice,
  offer: CatalogItem,
  quote: Quote,
  draft: string,
): Screen {
  const { texts } = view
  const { buy } = texts.traffic
  const show = (micros: number) => amount(micros, quote.currency)
  const missing = Math.max(-quote.balanceAfter, 0)
  const { nextTier } = quote
  const cheaper = nextTier && nextTier.minQuantity <= MAX_GIGABYTES ? nextTier : undefined
  // The amount in the button is no price: it is the most that this press may cost, and the server's own price is charged.
  const pay = packChoice(BUY_TRAFFIC.pay, choice, draft, quote.totalAmount.toString(36))
  return {
    text: lines(
      ...chosen(view, choice, offer, quote),
      buy.traffic(choice.gigabytes),
      '',
      buy.confirm({
        unitPrice: show(quote.unitPrice),
        total: show(quote.totalAmount),
        balance: show(quote.balance),
        after: missing > 0 ? '—' : show(quote.balanceAfter),
      }),
      ...(cheaper
        ? ['' as const, buy.nextTier(moreUntil(cheaper.minQuantity, choice.gigabytes), show(cheaper.price))]
        : []),
      ...(missing > 0 ? ['' as const, buy.short(show(missing))] : []),
      missing > 0 && choice.userId === undefined ? buy.shortResumes : undefined,
    ),
    buttons: [
      missing > 0
        ? [shortOfMoney(view, choice, quote.username, missing)]
        : [{ text: buy.pay(show(quote.totalAmount)), data: pay, style: 'success' }],
      cheaper
        ? [
            {
              text: buy.takeTier(cheaper.minQuantity),
              data: packChoice(BUY_TRAFFIC.confirm, { ...choice, gigabytes: cheaper.minQuantity }),
            },
          ]
        : [],
      [{ text: buy.changeAmount, data: packWanted(BUY_TRAFFIC.amounts, choice) }, homeButton(texts)],
    ],
  }
}

/** Right after the payment. */
export function boughtTrafficScreen(
  view: View,
  { productId, userId }: WantedTraffic,
  { order, balance }: BoughtTraffic,
): Screen {
  const { texts, language, currency } = view
  const { buy, buttons, orders } = texts.traffic
  const { productNameEn: nameEn, productNameZh: nameZh } = order
  return {
    text: lines(
      buy.done(gigabytes(order.trafficBytes)),
      '',
      orders.number(order.orderNo),
      userId === undefined ? undefined : buy.forUser(order.username),
      buy.chosen(productName({ nameEn, nameZh }, language)),
      buy.total(amount(order.totalAmount, currency)),
      buy.balanceAfter(amount(balance, currency)),
    ),
    buttons: [
      userId === undefined
        ? [{ text: buttons.extract, data: pack(TRAFFIC_TASK.extract, productId), style: 'primary' }]
        : [{ text: buy.openUser(order.username), data: pack('user', userId) }],
      userId === undefined ? [{ text: buttons.open, data: pack(TRAFFIC.product, productId) }] : [],
      [
        { text: buttons.again, data: packWanted(BUY_TRAFFIC.amounts, { productId, userId }) },
        homeButton(texts),
      ],
    ],
  }
}

/** The way to the money: the own top-up, or the sub-user whose balance the agent can raise. */
function shortOfMoney(
  { texts, currency }: View,
  { userId }: TrafficChoice,
  username: string,
  missing: number,
): Button {
  const { buy } = texts.traffic
  return userId === undefined
    ? {
        text: buy.topUp(amount(missing, currency)),
        data: pack('tps', missing.toString(36)),
        style: 'primary',
      }
    : { text: buy.openUser(username), data: pack('user', userId), style: 'primary' }
}

function chosen(
  { texts, language }: View,
  { userId }: WantedTraffic,
  offer: CatalogItem,
  { username }: Quote,
): (Html | '')[] {
  const { buy } = texts.traffic
  return [
    buy.title,
    '',
    ...(userId === undefined ? [] : [buy.forUser(username)]),
    buy.chosen(productName(offer, language)),
  ]
}

/** Where somebody came from who wants to buy. */
function originOf({ productId, userId }: WantedTraffic): string {
  return userId === undefined ? pack(TRAFFIC.product, productId) : pack(BUY_TRAFFIC.forUser, userId)
}

/** `8.5`: how much more it takes; counted in thousandths, because 0.1 + 0.2 is not 0.3. */
function moreUntil(minimum: number, now: number): string {
  return String(Math.round((minimum - now) * 1000) / 1000)
}
