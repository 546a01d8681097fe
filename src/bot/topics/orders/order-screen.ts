import { type Health, HEALTHS } from '../../../core/checks/health.ts'
import { GRACE_MS } from '../../../core/orders/expire-instances.ts'
import { formatProxy, type ProxyFormat } from '../../../core/proxy-formats.ts'
import { canRenew } from '../../../core/orders/renewal-terms.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { translationIn } from '../../../core/translations.ts'
import { CHANGE, LINKS, ORDERS } from '../../actions/orders.ts'
import { RECEIPTS } from '../../actions/receipts.ts'
import { supportButtons } from '../../actions/support.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount, orderedTerm, placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { discountLines } from './promo.ts'
import { isReleasable, isRenewable } from './order-change.ts'
import { copyButton, statusIcon } from './list-screens.ts'
import { proxyPages } from './proxy-list.ts'

/**
 * Shows an order right after the payment, until its proxies are there.
 *
 * @param actorId the user whose name is left out on its own orders
 */
export function acceptedScreen(view: View, order: StaticOrder, actorId: number): Screen {
  const { texts } = view
  return {
    text: lines(texts.orders.accepted, '', ...orderLines(view, order, actorId), '', texts.orders.delivery),
    buttons: [
      [{ text: texts.buttons.openOrder, data: ORDERS.view.data({ id: order.id }) }, homeButton(texts)],
    ],
    follows: { kind: 'order', orderNo: order.orderNo },
  }
}

/**
 * One order with a page of its proxies.
 *
 * @param options.actorId the user whose name is left out on its own orders
 * @param options.format of the lines of its proxies; undefined: a button shows them
 * @param options.back callback data of the list that it was found in
 */
export function orderScreen(
  view: View,
  order: StaticOrder,
  {
    actorId,
    format,
    page: wanted,
    back,
  }: {
    readonly actorId: number
    readonly format: ProxyFormat | undefined
    readonly page: number
    readonly back: string
  },
): Screen {
  const { texts } = view
  const active = usable(order)
  const { items, page, pages } = pageOf(format ? proxyPages(active, format) : [], wanted, 1)
  const shown = items[0] ?? []
  const signs = new Map(
    active.flatMap((proxy) => (format ? [[formatProxy(format, proxy), healthSign(proxy)]] : [])),
  )
  const processing = order.status === 'processing'
  const waiting = processing || order.renewing.length > 0
  const to = (toPage: number) => ORDERS.view.data({ id: order.id, page: toPage })
  return {
    text: lines(
      texts.orders.status(texts.status[order.status]),
      '',
      ...orderLines(view, order, actorId),
      ...(processing ? ['' as const, texts.orders.preparing] : []),
      ...(shown.length > 0
        ? ['' as const, ...shown.map((line) => html`${signs.get(line) ?? ''}<code>${line}</code>`)]
        : []),
    ),
    buttons: [
      ...pager(texts, page, pages, to),
      format === undefined && active.length > 0
        ? [{ text: texts.orders.showLines, data: to(1) }]
        : copyButton(shown, texts.buttons.copy),
      fileButtons(texts, order, active),
      active.length > 0
        ? [
            { text: texts.orders.test.button, data: ORDERS.testAll.data({ id: order.id }) },
            {
              text: texts.proxyLinks.newLink,
              data: LINKS.begin.data({ user: order.userId, order: order.id }),
            },
          ]
        : [],
      lifeButtons(view, order, active),
      autoRenewButton(texts, order, active),
      [
        ...proxiesButton(texts, order),
        ...(waiting ? [{ text: texts.buttons.refresh, data: to(page) }] : []),
        { text: texts.receipts.button, data: RECEIPTS.order.data({ id: order.id }) },
      ],
      order.status === 'active' || order.userId !== actorId
        ? []
        : supportButtons(view, { subject: 'order', reference: order.orderNo }),
      [backButton(texts, back), homeButton(texts)],
    ],
    ...(waiting && { follows: { kind: 'order', orderNo: order.orderNo } }),
  }
}

function proxiesButton({ orders }: Texts, { id, instances }: StaticOrder): Button[] {
  return instances.length > 0 ? [{ text: orders.oneByOne, data: ORDERS.proxies.data({ id, page: 1 }) }] : []
}

function fileButtons({ orders }: Texts, { id }: StaticOrder, active: readonly Instance[]): Button[] {
  if (active.length === 0) return []
  return [
    { text: orders.export.text, data: ORDERS.file.data({ id, kind: 'txt' }) },
    { text: orders.export.csv, data: ORDERS.file.data({ id, kind: 'csv' }) },
  ]
}

function lifeButtons(
  { texts: { orders }, now }: View,
  order: StaticOrder,
  active: readonly Instance[],
): Button[] {
  return [
    ...(order.instances.some((instance) => isRenewable(order, instance, now))
      ? [{ text: orders.renew.button, data: CHANGE.renew.data({ id: order.id }) }]
      : []),
    ...(active.some((instance) => isReleasable(order, instance))
      ? [
          {
            text: orders.release.button,
            data: CHANGE.release.data({ id: order.id }),
            style: 'danger' as const,
          },
        ]
      : []),
  ]
}

/** Switches the automatic renewal of all proxies in use: on while it is off for any of them. */
function autoRenewButton({ buy }: Texts, order: StaticOrder, active: readonly Instance[]): Button[] {
  if (active.length === 0 && order.status !== 'processing') return []
  const on = order.status === 'processing' ? order.autoRenew : active.every(({ autoRenew }) => autoRenew)
  return [{ text: buy.autoRenewButton(on), data: ORDERS.autoRenew.data({ id: order.id, on: !on }) }]
}

/** What an order is, line by line. */
export function orderLines(view: View, order: StaticOrder, actorId: number): Html[] {
  const { texts, language, currency } = view
  const { countryCode, cityCode, projectId, projects, renewedAmount, refundedAmount } = order
  const got = order.status === 'processing' ? order.ipCount : order.successCount
  return [
    ...(order.userId === actorId ? [] : [texts.orders.user(order.username)]),
    texts.orders.number(order.orderNo),
    texts.buy.chosen.product(translationIn(order.productNames, language)),
    ...(projectId
      ? [texts.orders.project(projects.find(({ code }) => code === projectId)?.name ?? projectId)]
      : []),
    ...(countryCode ? [texts.buy.chosen.place(placeName({ countryCode, cityCode }, language))] : []),
    texts.buy.chosen.term(orderedTerm(order, texts)),
    texts.orders.count(got, order.ipCount),
    ...(order.instancesDead > 0
      ? [html`${texts.orders.dead(order.instancesDead, usable(order).length)}`]
      : []),
    ...healthLines(texts, usable(order)),
    ...discountLines(texts, order, currency),
    texts.orders.total(amount(order.totalAmount, currency)),
    ...(renewedAmount > 0 ? [texts.orders.renewed(amount(renewedAmount, currency))] : []),
    ...(refundedAmount > 0 ? [texts.orders.refunded(amount(refundedAmount, currency))] : []),
    ...endLines(view, order),
    ...(order.renewing.length > 0 ? [texts.orders.renewing(order.renewing.length)] : []),
    ...autoRenewLines(texts, order),
  ]
}

/** Until when the order is valid, and what became of the proxies that are not in use any more. */
function endLines({ texts, now }: View, order: StaticOrder): Html[] {
  const { status, instances } = order
  const count = (state: Instance['status']) =>
    instances.filter((instance) => instance.status === state).length
  const [active, expired, released] = [count('active'), count('expired'), count('released')]
  const inGrace = instances.filter(
    (instance) => instance.status === 'expired' && canRenew(order, instance, now),
  )
  const graceEnd = Math.max(...inGrace.map((instance) => new Date(instance.expireTime).getTime() + GRACE_MS))
  const ends = endsOf(order)
  return [
    ...([active, expired, released].filter((each) => each > 0).length > 1
      ? [texts.orders.states(active, expired, released)]
      : []),
    ...(ends && status !== 'cancelled' ? [endLine(texts, status, ends)] : []),
    ...(inGrace.length > 0 ? [texts.orders.renewableUntil(texts.dateTime(new Date(graceEnd)))] : []),
  ]
}

/** Returns when the first and the last proxy in use expire: two times once only some are renewed; undefined before the delivery. */
function endsOf(order: StaticOrder): { first: Date; last: Date } | undefined {
  const times = usable(order)
    .map((instance) => instance.expireTime)
    .toSorted()
  const [first, last] = [times[0] ?? order.expireTime, times.at(-1) ?? order.expireTime]
  return first && last ? { first: new Date(first), last: new Date(last) } : undefined
}

function endLine(
  { orders, dateTime }: Texts,
  status: StaticOrder['status'],
  ends: { first: Date; last: Date },
): Html {
  const [first, last] = [dateTime(ends.first), dateTime(ends.last)]
  if (status === 'expired') return orders.expired(last)
  return first === last ? orders.expires(first) : orders.expireFrom(first, last)
}

function autoRenewLines({ orders }: Texts, order: StaticOrder): Html[] {
  const active = usable(order)
  if (order.status === 'processing')
    return order.autoRenew ? [orders.autoRenew(order.ipCount, order.ipCount)] : []
  const on = active.filter(({ autoRenew }) => autoRenew).length
  return active.length > 0 ? [orders.autoRenew(on, active.length)] : []
}

/** Returns the proxies of an order that are in use, dead ones included. */
export function usable({ instances }: StaticOrder): Instance[] {
  return instances.filter(({ status }) => status === 'active')
}

/** How many of the proxies in use are in which state; the dead ones have a line of their own. */
function healthLines({ proxies }: Texts, active: readonly Instance[]): Html[] {
  const counts = HEALTHS.filter((health) => health !== 'dead').flatMap((state) => {
    const count = active.filter(({ health }) => health === state).length
    return count > 0 ? [`${HEALTH_SIGNS[state]} ${proxies.counted(proxies.filters[state], count)}`] : []
  })
  return counts.length > 0 ? [html`${counts.join(' · ')}`] : []
}

/** What the tests say of a proxy in use, as a sign (rules 17.7). */
export const HEALTH_SIGNS: Readonly<Record<Health, string>> = {
  works: '✅',
  slow: '🐢',
  failing: '⚠️',
  dead: '🔴',
  not_tested: '⚪',
}

/** The sign of a proxy in use before its address; nothing for one that has ended. */
export function healthSign({ status, health }: Pick<Instance, 'status' | 'health'>): string {
  return status === 'active' ? `${HEALTH_SIGNS[health]} ` : ''
}

/** The symbol of the state of a proxy: of one in use, what the tests say. */
export function proxyIcon(
  { orders: { instance } }: Texts,
  { status, health }: Pick<Instance, 'status' | 'health'>,
): string {
  return status === 'active' ? HEALTH_SIGNS[health] : statusIcon(instance.status[status])
}
