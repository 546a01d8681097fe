import { GRACE_MS } from '../../core/orders/expire-instances.ts'
import type { Instance, Page, StaticOrder } from '../../core/orders/list-static-orders.ts'
import { pack } from '../callback-data.ts'
import { amount, orderedProduct, orderedTerm, placeName } from '../format.ts'
import { html, type Html, lines } from '../html.ts'
import type { Texts } from '../locales/index.ts'
import { proxyPages } from '../proxy-list.ts'
import { type Button, grid, MAX_COPY, type Screen } from '../screen.ts'
import { backButton, homeButton } from './general.ts'
import { pageOf, pager } from './pager.ts'
import type { View } from './view.ts'

export const ORDERS = {
  list: 'orders',
  view: 'order',
  file: 'ofile',
  fileOfAll: 'ofiles',
} as const

export const ORDERS_PER_PAGE = 6

/** A list of orders, newest first. */
export function ordersScreen(
  { texts, language }: View,
  { items, total, page, pageSize }: Page<StaticOrder>,
): Screen {
  if (total === 0)
    return {
      text: texts.orders.empty,
      buttons: [[{ text: texts.buttons.buy, data: 'buy', style: 'primary' }], [homeButton(texts)]],
    }
  const buttons = items.map((order): Button => ({
    text: texts.orders.button(
      statusIcon(texts.status[order.status]),
      orderedProduct(order, language),
      order.ipCount,
      texts.date(new Date(order.createdAt)),
    ),
    data: pack(ORDERS.view, order.id, 1, page),
  }))
  return {
    text: texts.orders.title(total),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => pack(ORDERS.list, to)),
      [{ text: texts.buttons.allAsFile, data: ORDERS.fileOfAll }],
      [homeButton(texts)],
    ],
  }
}

/** Right after the payment. It stays true when the proxies have arrived below it. */
export function acceptedScreen(view: View, order: StaticOrder): Screen {
  const { texts } = view
  return {
    text: lines(texts.orders.accepted, '', ...orderLines(view, order), '', texts.orders.preparing),
    buttons: [[{ text: texts.buttons.openOrder, data: pack(ORDERS.view, order.id) }, homeButton(texts)]],
  }
}

/**
 * One order with a page of its proxies.
 *
 * @param listPage where Back leads to
 */
export function orderScreen(view: View, order: StaticOrder, proxyPage: number, listPage: number): Screen {
  const { texts } = view
  const { items, page, pages } = pageOf(proxyPages(usable(order)), proxyPage, 1)
  const shown = items[0] ?? []
  const processing = order.status === 'processing'
  const to = (toPage: number) => pack(ORDERS.view, order.id, toPage, listPage)
  return {
    text: lines(
      texts.orders.status(texts.status[order.status]),
      '',
      ...orderLines(view, order),
      ...(processing ? ['' as const, texts.orders.preparing] : []),
      ...(shown.length > 0 ? ['' as const, ...shown.map((line) => html`<code>${line}</code>`)] : []),
    ),
    buttons: [
      ...pager(texts, page, pages, to),
      copyButton(shown, texts.buttons.copy),
      shown.length > 0 ? [{ text: texts.buttons.file, data: pack(ORDERS.file, order.id) }] : [],
      processing ? [{ text: texts.buttons.refresh, data: to(page) }] : [],
      [backButton(texts, pack(ORDERS.list, listPage)), homeButton(texts)],
    ],
  }
}

/** What an order is, line by line. */
function orderLines({ texts, language, currency }: View, order: StaticOrder): Html[] {
  const { countryCode, cityCode, refundedAmount } = order
  const got = order.status === 'processing' ? order.ipCount : order.successCount
  return [
    texts.orders.number(order.orderNo),
    texts.buy.chosen.product(orderedProduct(order, language)),
    ...(countryCode ? [texts.buy.chosen.place(placeName({ countryCode, cityCode }, language))] : []),
    texts.buy.chosen.term(orderedTerm(order, texts)),
    texts.orders.count(got, order.ipCount),
    texts.orders.total(amount(order.totalAmount, currency)),
    ...(refundedAmount > 0 ? [texts.orders.refunded(amount(refundedAmount, currency))] : []),
    ...endLines(texts, order),
  ]
}

/** Until when the order is valid, and what became of the proxies that are not in use any more. */
function endLines(texts: Texts, { status, expireTime, instances }: StaticOrder): Html[] {
  const count = (state: Instance['status']) =>
    instances.filter((instance) => instance.status === state).length
  const [active, expired, released] = [count('active'), count('expired'), count('released')]
  const renewable = instances.filter(
    (instance) => instance.status === 'expired' && instance.releasedAt === null,
  )
  const renewableUntil = Math.max(
    ...renewable.map((instance) => new Date(instance.expireTime).getTime() + GRACE_MS),
  )
  const end = expireTime && texts.dateTime(new Date(expireTime))
  return [
    ...(expired + released > 0 ? [texts.orders.states(active, expired, released)] : []),
    ...(end && status !== 'cancelled'
      ? [status === 'expired' ? texts.orders.expired(end) : texts.orders.expires(end)]
      : []),
    ...(renewable.length > 0 && status !== 'cancelled'
      ? [texts.orders.renewableUntil(texts.dateTime(new Date(renewableUntil)))]
      : []),
  ]
}

/** The proxies of an order that work now. */
export function usable({ instances }: StaticOrder): Instance[] {
  return instances.filter(({ status }) => status === 'active')
}

/** Telegram copies at most 256 characters; a page that is one longer line has no button, and is copied by a tap on it. */
export function copyButton(shown: readonly string[], label: (count: number) => string): Button[] {
  const text = shown.join('\n')
  return text.length > 0 && text.length <= MAX_COPY ? [{ text: label(shown.length), copy: text }] : []
}

/** The symbol that each status text begins with. */
function statusIcon(status: string): string {
  return status.split(' ')[0] ?? ''
}
