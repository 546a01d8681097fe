import type { Page, StaticOrder } from '../../core/orders/list-static-orders.ts'
import { pack } from '../callback-data.ts'
import { amount, orderedProduct, orderedTerm, placeName } from '../format.ts'
import { html, lines } from '../html.ts'
import { proxyPages } from '../proxy-list.ts'
import { type Button, grid, type Screen } from '../screen.ts'
import type { View } from './buy.ts'
import { backButton, homeButton } from './general.ts'
import { pager } from './pager.ts'

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

/**
 * One order with a page of its proxies.
 *
 * @param listPage where Back leads to
 */
export function orderScreen(
  { texts, language, currency }: View,
  order: StaticOrder,
  proxyPage: number,
  listPage: number,
): Screen {
  const pages = proxyPages(order.instances)
  const page = Math.min(Math.max(proxyPage, 1), Math.max(pages.length, 1))
  const shown = pages[page - 1] ?? []
  return {
    text: lines(
      texts.orders.order({
        orderNo: order.orderNo,
        status: texts.status[order.status],
        product: orderedProduct(order, language),
        place: order.countryCode
          ? placeName({ countryCode: order.countryCode, cityCode: order.cityCode }, language)
          : undefined,
        term: orderedTerm(order, texts),
        total: amount(order.totalAmount, currency),
      }),
      order.status === 'processing'
        ? texts.orders.count(order.ipCount, order.ipCount)
        : texts.orders.count(order.successCount, order.ipCount),
      order.refundedAmount > 0 ? texts.orders.refunded(amount(order.refundedAmount, currency)) : undefined,
      order.expireTime ? texts.orders.expires(texts.dateTime(new Date(order.expireTime))) : undefined,
      ...(order.status === 'processing' ? ['' as const, texts.orders.preparing] : []),
      ...(shown.length > 0 ? ['' as const, ...shown.map((line) => html`<code>${line}</code>`)] : []),
    ),
    buttons: [
      ...pager(texts, page, pages.length, (to) => pack(ORDERS.view, order.id, to, listPage)),
      ...(shown.length > 0 ? [copyButton(shown, texts.buttons.copy)] : []),
      ...(shown.length > 0 ? [[{ text: texts.buttons.file, data: pack(ORDERS.file, order.id) }]] : []),
      ...(order.status === 'processing'
        ? [[{ text: texts.buttons.refresh, data: pack(ORDERS.view, order.id, page, listPage) }]]
        : []),
      [backButton(texts, pack(ORDERS.list, listPage)), homeButton(texts)],
    ],
  }
}

/** Telegram copies at most 256 characters; a page that is one longer line has no button, and is copied by a tap on it. */
export function copyButton(shown: readonly string[], label: (count: number) => string): Button[] {
  const text = shown.join('\n')
  return text.length > 0 && text.length <= 256 ? [{ text: label(shown.length), copy: text }] : []
}

/** The symbol that each status text begins with. */
function statusIcon(status: string): string {
  return status.split(' ')[0] ?? ''
}
