import { isDead } from '../../../core/checks/health.ts'
import type { ShownOrder, ShownProxy } from '../../../core/customers/show-order.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { DynamicOrder } from '../../../core/orders/list-dynamic-orders.ts'
import type { TopUp } from '../../../core/top-ups/top-up.ts'
import { translationIn } from '../../../core/translations.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { amount, usdt } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { orderLines, proxyIcon } from '../orders/order-screen.ts'
import { iconOf } from './icons.ts'
import { changeButton, customerButton, lastRow } from './screens.ts'

const PROXIES_PER_PAGE = 8
/** Id of no account, for which the owner of an order is always named. */
const NOBODY = 0

/** @param note outcome of the last change */
export function orderScreen(view: View, shown: ShownOrder, page: number, note?: Html): Screen {
  const { texts, currency } = view
  const { order, refundable } = shown
  const { orderNo, userId, username } = order
  const anyActive = shown.type === 'static' && shown.order.instances.some(({ status }) => status === 'active')
  const proxies = shown.type === 'static' ? proxyButtons(view, shown, page) : []
  return {
    text: lines(
      ...(note ? [note, '' as const] : []),
      ...(shown.type === 'static'
        ? [
            texts.orders.status(texts.status[shown.order.status]),
            '' as const,
            ...orderLines(view, shown.order, NOBODY),
          ]
        : trafficLines(view, shown.order)),
      ...(refundable > 0 ? [texts.customers.refundable(amount(refundable, currency))] : []),
    ),
    buttons: [
      ...proxies,
      [
        ...(refundable > 0 ? [changeButton(texts, 'refundOrder', orderNo)] : []),
        ...(anyActive ? [changeButton(texts, 'endOrder', orderNo)] : []),
      ],
      [customerButton(texts, userId, username)],
      lastRow(texts),
    ],
  }
}

function trafficLines({ texts, language, currency }: View, order: DynamicOrder): Html[] {
  return [
    texts.orders.user(order.username),
    html`${iconOf(texts, order.status)} ${translationIn(order.productNames, language)}`,
    texts.orders.number(order.orderNo),
    texts.customers.trafficOrder(gigabytes(order.trafficBytes, texts)),
    texts.orders.total(amount(order.totalAmount, currency)),
    texts.customers.created(texts.dateTime(new Date(order.createdAt))),
  ]
}

function proxyButtons(
  { texts }: View,
  { order }: Extract<ShownOrder, { type: 'static' }>,
  wanted: number,
): Button[][] {
  const { orderNo } = order
  const { items, page, pages } = pageOf(order.instances, wanted, PROXIES_PER_PAGE)
  return [
    ...items.map((instance) => [
      {
        text: `${proxyIcon(texts, instance)} ${addressOf(instance)}`,
        data: CUSTOMERS.proxy.data({ instanceNo: instance.instanceNo }),
      },
    ]),
    ...pager(texts, page, pages, (to) => CUSTOMERS.order.data({ orderNo, page: to })),
  ]
}

/** @param note outcome of the last change */
export function proxyScreen(view: View, shown: ShownProxy, note?: Html): Screen {
  const { texts, language, currency } = view
  const { order, instance, refundable, credentials, replacements } = shown
  const { customers, dateTime } = texts
  const { instanceNo } = instance
  const active = instance.status === 'active'
  const earlier = replacements.flatMap(({ status, oldIp, oldPort, createdAt }) =>
    status === 'done'
      ? [customers.before(addressOf({ ip: oldIp, port: oldPort }), dateTime(new Date(createdAt)))]
      : [],
  )
  const change = (name: 'refund' | 'replace' | 'credentials' | 'end', possible: boolean) =>
    possible ? [changeButton(texts, name, instanceNo)] : []
  return {
    text: lines(
      ...(note ? [note, '' as const] : []),
      customers.proxy(addressOf(instance)),
      html`${isDead(instance) ? texts.orders.instance.dead : texts.orders.instance.status[instance.status]}`,
      active && !isDead(instance) ? texts.orders.instance.health[instance.health] : undefined,
      texts.orders.user(order.username),
      html`${translationIn(order.productNames, language)}`,
      customers.until(dateTime(new Date(instance.expireTime))),
      ...(refundable > 0 ? [customers.refundable(amount(refundable, currency))] : []),
      ...earlier,
    ),
    buttons: [
      [...change('refund', refundable > 0), ...change('replace', active)],
      [...change('credentials', credentials !== undefined), ...change('end', active)],
      active ? [{ text: texts.orders.check.button, data: CUSTOMERS.testProxy.data({ instanceNo }) }] : [],
      [{ text: customers.buttons.order, data: CUSTOMERS.order.data({ orderNo: order.orderNo }) }],
      [customerButton(texts, order.userId, order.username)],
      lastRow(texts),
    ],
  }
}

export function topUpScreen({ texts, currency }: View, topUp: TopUp): Screen {
  const { customers, topUps, dateTime } = texts
  const { orderNo, userId, username, status, payAmount, creditAmount, paidAmount, txid, late } = topUp
  const credit = amount(creditAmount, currency)
  return {
    text: lines(
      customers.topUp(orderNo, username),
      '',
      html`${topUps.icon[status]} ${customers.topUpStates[status]}`,
      paidAmount === null
        ? customers.toPay(usdt(payAmount), credit)
        : topUps.received(usdt(paidAmount), credit),
      customers.created(dateTime(new Date(topUp.createdAt))),
      ...(topUp.paidAt === null ? [] : [topUps.paidAt(dateTime(new Date(topUp.paidAt)))]),
      ...(late ? [topUps.late] : []),
      ...(txid === null ? [] : [topUps.transaction(txid)]),
    ),
    buttons: [[customerButton(texts, userId, username)], lastRow(texts)],
  }
}
