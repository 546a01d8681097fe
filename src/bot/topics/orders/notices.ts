import { isDead } from '../../../core/checks/health.ts'
import type { Core } from '../../../core/core.ts'
import type { Notice } from '../../../core/notices/messenger.ts'
import { addressOf, formatProxy } from '../../../core/proxy-formats.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import { CHANGE, ORDERS, REPLACE } from '../../actions/orders.ts'
import { supportButtons } from '../../actions/support.ts'
import { topUpButton } from '../../actions/top-ups.ts'
import { errorText } from '../../kit/errors.ts'
import { amount, balanceText } from '../../kit/format.ts'
import type { Button } from '../../kit/screen.ts'
import { keptMessage, type Message, noticeMessage } from '../../kit/message.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { type OfBrand, supportOf } from '../../session/view-of.ts'
import { textsOf, type Texts } from '../../texts/index.ts'
import { usable } from './order-screen.ts'
import { copyButton } from './list-screens.ts'
import { proxyFile, proxyPages } from './proxy-list.ts'
import type { TicketTopic } from '../../../core/facts/support-message.ts'
import { translationIn } from '../../../core/translations.ts'

type Delivered = Extract<OfBrand<Notice>, { kind: 'order_ready' | 'order_partial' | 'order_failed' }>

/** Says how an order has come out, with the proxies: a short list in the text, a long one as a file. */
export async function deliveryMessage(core: Core, notice: Delivered): Promise<Message> {
  const texts = textsOf(notice)
  const order = await core.orders.getStatic(notice.recipient, { orderNo: notice.subject })
  const [page = [], ...morePages] = proxyPages(order.instances, notice.proxyFormat)
  const { dead = 0 } = notice.facts
  const text = lines(
    headline(texts, notice, core.currency),
    dead > 0 ? texts.notices.notWorking(dead) : undefined,
    ...aboutOrder(texts, notice, order),
    order.expireTime ? texts.orders.expires(texts.dateTime(new Date(order.expireTime))) : undefined,
  )
  const open = orderButton(texts, order)
  if (morePages.length > 0) {
    const file = { name: `${order.orderNo}.txt`, content: proxyFile(order.instances, notice.proxyFormat) }
    return { ...keptMessage(texts, text, open), file }
  }
  const list = page.map((line) => html`<code>${line}</code>`)
  return keptMessage(
    texts,
    lines(text, ...(list.length > 0 ? ['' as const, ...list] : [])),
    ...copyButton(page, texts.buttons.copy),
    open,
    notice.kind === 'order_ready'
      ? undefined
      : await helpButton(core, notice, { subject: 'order', reference: order.orderNo }),
  )
}

/** Says that an order is not delivered yet, and why that is no reason to order again. */
export async function delayMessage(
  core: Core,
  notice: Extract<OfBrand<Notice>, { kind: 'order_delayed' }>,
): Promise<Message> {
  const texts = textsOf(notice)
  const order = await core.orders.getStatic(notice.recipient, { orderNo: notice.subject })
  const text = lines(texts.notices.order_delayed(notice.facts.ordered), ...aboutOrder(texts, notice, order))
  const help = await helpButton(core, notice, { subject: 'order', reference: order.orderNo })
  return noticeMessage(texts, text, orderButton(texts, order), help)
}

async function helpButton(
  core: Core,
  notice: OfBrand<Notice>,
  topic: TicketTopic,
): Promise<Button | undefined> {
  const support = await supportOf(core, notice.brand)
  return supportButtons({ texts: textsOf(notice), support }, topic)[0]
}

/** Names an order and its product, and the sub-user if it is a sub-user's order. */
function aboutOrder(
  texts: Texts,
  { recipient, language }: Pick<Notice, 'recipient' | 'language'>,
  order: StaticOrder,
): (Html | '')[] {
  return [
    ...(order.userId === recipient.id ? [] : [texts.notices.forUser(order.username)]),
    '',
    texts.orders.number(order.orderNo),
    texts.buy.chosen.product(translationIn(order.productNames, language)),
  ]
}

function orderButton(texts: Texts, order: StaticOrder): Button {
  return { text: texts.buttons.openOrder, data: ORDERS.view.data({ id: order.id }) }
}

function headline({ notices }: Texts, { kind, facts }: Delivered, currency: string): Html {
  const { delivered, ordered, refund } = facts
  switch (kind) {
    case 'order_ready':
      return notices.order_ready(delivered)
    case 'order_partial':
      return notices.order_partial(delivered, ordered, amount(refund, currency))
    case 'order_failed':
      return notices.order_failed(amount(refund, currency))
  }
}

type OfTime = Extract<
  OfBrand<Notice>,
  { kind: 'renewal_done' | 'renewal_failed' | 'expiring_72h' | 'expiring_24h' | 'expired' }
>

/** Says that proxies of an order expire or have expired, or how their renewal has come out. */
export async function timeMessage(core: Core, notice: OfTime): Promise<Message> {
  const texts = textsOf(notice)
  const order = await core.orders.getStatic(notice.recipient, { orderNo: notice.facts.orderNo })
  const { facts } = notice
  const text = lines(
    ...happened(texts, notice, core.currency),
    ...aboutOrder(texts, notice, order),
    'expireTime' in facts ? texts.orders.expires(texts.dateTime(new Date(facts.expireTime))) : undefined,
    order.instancesDead > 0
      ? html`${texts.orders.dead(order.instancesDead, usable(order).length)}`
      : undefined,
  )
  const shortfall = 'shortfall' in facts ? facts.shortfall : undefined
  return noticeMessage(
    texts,
    text,
    shortfall === undefined ? undefined : topUpButton(texts, shortfall),
    notice.kind === 'renewal_done'
      ? undefined
      : { text: texts.orders.renew.button, data: CHANGE.renew.data({ id: order.id }) },
    orderButton(texts, order),
    notice.kind === 'renewal_failed'
      ? await helpButton(core, notice, { subject: 'order', reference: order.orderNo })
      : undefined,
  )
}

/** Says that the operator has ended proxies before their time, and why. */
export async function endedMessage(
  core: Core,
  notice: Extract<OfBrand<Notice>, { kind: 'proxies_ended' }>,
): Promise<Message> {
  const texts = textsOf(notice)
  const { orderNo, count, reason } = notice.facts
  const order = await core.orders.getStatic(notice.recipient, { orderNo })
  const text = lines(
    texts.notices.proxies_ended(count),
    ...aboutOrder(texts, notice, order),
    texts.notices.reason(reason),
  )
  const help = await helpButton(core, notice, { subject: 'order', reference: order.orderNo })
  return noticeMessage(texts, text, orderButton(texts, order), help)
}

/** Says what came of a request for other credentials of a proxy, with the proxy as it is now. */
export async function credentialsMessage(
  core: Core,
  notice: Extract<OfBrand<Notice>, { kind: 'credentials_changed' }>,
): Promise<Message> {
  const texts = textsOf(notice)
  const { orderNo, instanceNo, changed } = notice.facts
  const order = await core.orders.getStatic(notice.recipient, { orderNo })
  const proxy = order.instances.find((instance) => instance.instanceNo === instanceNo)
  const line = proxy ? formatProxy(notice.proxyFormat, proxy) : ''
  return keptMessage(
    texts,
    lines(
      texts.notices.credentials(changed),
      ...aboutOrder(texts, notice, order),
      '',
      html`<code>${line}</code>`,
    ),
    ...copyButton([line], texts.buttons.copy),
    orderButton(texts, order),
  )
}

function happened(texts: Texts, notice: OfTime, currency: string): Html[] {
  const { notices } = texts
  switch (notice.kind) {
    case 'renewal_done': {
      const { count, amount: paid, balance, automatic = true } = notice.facts
      return [notices.renewal_done(count, amount(paid, currency), balanceText(balance, currency), automatic)]
    }
    case 'renewal_failed': {
      const { count, reason, shortfall, refund, automatic = true } = notice.facts
      if (refund !== undefined) return [notices.renewal_refused(count, amount(refund, currency), automatic)]
      const why =
        shortfall === undefined ? errorText(texts, reason) : notices.short(amount(shortfall, currency))
      return [notices.renewal_failed(count, why)]
    }
    case 'expiring_72h':
    case 'expiring_24h': {
      const { count, shortfall } = notice.facts
      return [
        notices[notice.kind](count),
        ...(shortfall === undefined ? [] : [notices.wouldRenew(amount(shortfall, currency))]),
      ]
    }
    case 'expired': {
      const { count, renewableUntil } = notice.facts
      return [notices.expired(count, texts.dateTime(new Date(renewableUntil)))]
    }
  }
}

type OfProxy = Extract<OfBrand<Notice>, { kind: 'proxy_dead' | 'replacement_ended' }>

/** Says that a proxy is dead, or what became of the wish for another one. */
export async function proxyMessage(core: Core, notice: OfProxy): Promise<Message> {
  const texts = textsOf(notice)
  const order = await core.orders.getStatic(notice.recipient, { orderNo: notice.facts.orderNo })
  const position = order.instances.findIndex(({ instanceNo }) => instanceNo === notice.facts.instanceNo)
  const at = { id: order.id, position: Math.max(position, 0) }
  const proxy = order.instances[position]
  return noticeMessage(
    texts,
    lines(
      ...happenedTo(texts, notice, core.currency),
      ...(proxy && isDead(proxy) && proxy.autoRenew
        ? [texts.notices.deadRenews(texts.dateTime(new Date(proxy.expireTime)))]
        : []),
      ...aboutOrder(texts, notice, order),
    ),
    notice.kind === 'proxy_dead'
      ? { text: texts.orders.replace.button, data: REPLACE.begin.data(at) }
      : undefined,
    { text: texts.orders.replace.open, data: ORDERS.proxy.data(at) },
    notice.kind === 'proxy_dead' || notice.facts.status === 'declined'
      ? await helpButton(core, notice, { subject: 'proxy', reference: notice.facts.instanceNo })
      : undefined,
  )
}

function happenedTo(texts: Texts, notice: OfProxy, currency: string): Html[] {
  const { notices } = texts
  if (notice.kind === 'proxy_dead') {
    const { ip, port, since } = notice.facts
    return [notices.proxy_dead(addressOf({ ip, port }), texts.dateTime(new Date(since)))]
  }
  const { status, oldIp, oldPort, newIp, newPort, refund, note } = notice.facts
  const before = addressOf({ ip: oldIp, port: oldPort })
  const told = {
    done: () => notices.replacement_done(before, addressOf({ ip: newIp ?? '', port: newPort ?? 0 })),
    refunded: () => notices.replacement_refunded(before, amount(refund, currency)),
    declined: () => notices.replacement_declined(before),
  }[status]()
  return [told, ...(note === '' ? [] : [notices.note(note)])]
}
