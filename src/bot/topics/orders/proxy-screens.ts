import { isDead } from '../../../core/checks/health.ts'
import { GRACE_MS } from '../../../core/orders/expire-instances.ts'
import { addressOf, formatProxy, PROXY_FORMATS, type ProxyFormat } from '../../../core/proxy-formats.ts'
import { canRenew } from '../../../core/orders/renewal-terms.ts'
import type { CancellationQuote } from '../../../core/orders/quote-cancellation.ts'
import type { RenewalQuote } from '../../../core/orders/quote-renewal.ts'
import type { Replacement } from '../../../core/orders/replacement.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { translationIn } from '../../../core/translations.ts'
import { BUY } from '../../actions/buy.ts'
import { GUIDE } from '../../actions/guide.ts'
import { CHANGE, ORDERS, PROXIES, REPLACE } from '../../actions/orders.ts'
import { supportButtons } from '../../actions/support.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount, orderedTerm, placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { termsOf } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { copyButton } from './list-screens.ts'
import { proxyIcon } from './order-screen.ts'
import { endOf, isReleasable, isRenewable } from './order-change.ts'
import { balanceLine } from './quote.ts'
import { historyLines, type ProxyAt } from './replace-screens.ts'

const PROXIES_PER_PAGE = 8

/** The address, with the symbol of its state. */
export function proxyLabel({ texts }: View, instance: Instance): string {
  return `${proxyIcon(texts, instance)} ${addressOf(instance)}`
}

/** All proxies of an order, those that are not in use any more included. */
export function proxiesScreen(view: View, order: StaticOrder, wanted: number): Screen {
  const { texts } = view
  const numbered = order.instances.map((instance, position) => ({ instance, position }))
  const { items, page, pages } = pageOf(numbered, wanted, PROXIES_PER_PAGE)
  return {
    text: texts.orders.instances(order.orderNo, order.instances.length),
    buttons: [
      ...items.map(({ instance, position }): Button[] => [
        { text: proxyLabel(view, instance), data: ORDERS.proxy.data({ id: order.id, position }) },
      ]),
      ...pager(texts, page, pages, (to) => ORDERS.proxies.data({ id: order.id, page: to })),
      [backButton(texts, ORDERS.view.data({ id: order.id })), homeButton(texts)],
    ],
  }
}

/** What can be done for a proxy, and was done. */
export interface ProxyCare {
  /** What a renewal for the term it was bought for costs; undefined where it cannot be renewed like this. */
  readonly renewal: RenewalQuote | undefined
  /** What a release gives back; undefined where it cannot be released. */
  readonly release: CancellationQuote | undefined
  /** Name of the sub-user whose proxy it is. */
  readonly ofUser: string | undefined
  /** Whether the supplier can give the proxy other credentials. */
  readonly resettable: boolean
  /** Replacements of the proxy, newest first. */
  readonly replacements: readonly Replacement[]
  /** Callback data of the list that it was found in. */
  readonly back: string
}

/** The page of {@link proxiesScreen} that shows a proxy. */
export function pageOfProxy(position: number): number {
  return Math.floor(position / PROXIES_PER_PAGE) + 1
}

/**
 * Everything about one proxy.
 *
 * @param position in the order, from 0
 */
export function proxyScreen(
  view: View,
  order: StaticOrder,
  instance: Instance,
  position: number,
  format: ProxyFormat,
  care: ProxyCare,
): Screen {
  const { texts, language } = view
  const { resettable, replacements, back } = care
  const text = texts.orders.instance
  const line = formatProxy(format, instance)
  const active = instance.status === 'active'
  const dead = isDead(instance)
  const { countryCode, cityCode, cidr } = instance
  const replace: Button = {
    text: texts.orders.replace.button,
    data: REPLACE.begin.data({ id: order.id, position }),
    ...(dead && { style: 'primary' }),
  }
  return {
    text: lines(
      texts.orders.status(dead ? text.dead : text.status[instance.status]),
      dead || instance.status === 'released' ? undefined : text.health[instance.health],
      instance.note === '' ? undefined : texts.proxies.noteLine(instance.note),
      '',
      text.line(line),
      '',
      text.address(instance.ip, instance.port),
      text.credentials(instance.username, instance.password),
      text.protocols,
      '',
      texts.buy.chosen.product(translationIn(order.productNames, language)),
      texts.buy.chosen.place(placeName({ countryCode, cityCode }, language)),
      ...(cidr === '' ? [] : [text.range(cidr)]),
      text.opened(texts.dateTime(new Date(instance.openedAt))),
      ...endLines(view, order, instance),
      ...(order.renewing.includes(instance.id) ? [texts.orders.renewing(1)] : []),
      ...(active ? [texts.orders.autoRenew(instance.autoRenew ? 1 : 0, 1)] : []),
      ...historyLines(view, replacements),
      ...offerLines(view, order, care),
      '',
      text.number(instance.instanceNo),
      texts.orders.number(order.orderNo),
    ),
    buttons: [
      dead ? [replace] : [],
      [
        ...copyButton([line], texts.buttons.copy),
        { text: texts.proxies.buttons.formats, data: PROXIES.formats.data({ id: order.id, position }) },
      ],
      active ? [{ text: texts.guide.button, data: GUIDE.home.data({ id: order.id, position }) }] : [],
      active
        ? [
            { text: texts.orders.check.button, data: ORDERS.test.data({ id: order.id, position }) },
            ...(dead ? [] : [replace]),
          ]
        : [],
      ...lifeRows(view, order, instance, position, care),
      active
        ? [
            {
              text: texts.buy.autoRenewButton(instance.autoRenew),
              data: ORDERS.proxyAutoRenew.data({ id: order.id, position, on: !instance.autoRenew }),
            },
          ]
        : [],
      active && resettable
        ? [{ text: texts.orders.reset.button, data: ORDERS.newPassword.data({ id: order.id, position }) }]
        : [],
      [
        { text: texts.proxies.buttons.note, data: PROXIES.note.data({ id: order.id, position }) },
        ...(active
          ? []
          : [
              {
                text: texts.proxies.buttons.again,
                data: BUY.again.data({ order: order.id }),
                style: 'primary' as const,
              },
            ]),
      ],
      [
        { text: texts.buttons.openOrder, data: ORDERS.view.data({ id: order.id }) },
        ...supportButtons(view, { subject: 'proxy', reference: instance.instanceNo }),
      ],
      [backButton(texts, back), homeButton(texts)],
    ],
  }
}

/** The offers that one press takes (rules 17.9). */
function offersIn({ renewal, release }: ProxyCare) {
  return {
    renewal: renewal && renewal.balanceAfter >= 0 ? renewal : undefined,
    release: release && release.refundAmount > 0 ? release : undefined,
  }
}

/** Says what one press costs or gives back, and does. */
function offerLines({ texts }: View, order: StaticOrder, care: ProxyCare): (Html | '')[] {
  const { renewal, release } = offersIn(care)
  const { renew, release: words } = texts.orders
  const [renewed] = renewal?.instances ?? []
  if (!renewal && !release) return []
  return [
    '',
    ...(renewal && renewed
      ? [
          renew.offer(
            orderedTerm(order, texts),
            texts.date(new Date(renewed.newExpireTime)),
            amount(renewal.totalAmount, renewal.currency),
          ),
          balanceLine(texts, care.ofUser, renewal.balance, renewal.currency),
        ]
      : []),
    ...(release
      ? [
          words.offer(
            amount(release.refundAmount, release.currency),
            texts.dateTime(new Date(release.refundUntil)),
          ),
        ]
      : []),
  ]
}

/** Renewal and release: one press where the screen says what it costs or gives back, else a question of their own. */
function lifeRows(
  { texts, now }: View,
  order: StaticOrder,
  instance: Instance,
  position: number,
  care: ProxyCare,
): Button[][] {
  const { renew, release: words } = texts.orders
  const { renewal, release } = offersIn(care)
  const at = { id: order.id, position }
  const others = !renewal || termsOf(order).length > 1
  return [
    renewal
      ? [
          {
            text: renew.now(orderedTerm(order, texts), amount(renewal.totalAmount, renewal.currency)),
            // The most that this press may cost; the server's own price is charged.
            data: CHANGE.renewNow.data({
              ...at,
              until: endOf(instance),
              limit: renewal.totalAmount,
            }),
            style: 'success',
          },
        ]
      : [],
    [
      ...(isRenewable(order, instance, now) && others
        ? [{ text: renewal ? renew.otherTerm : renew.button, data: CHANGE.renew.data(at) }]
        : []),
      ...(isReleasable(order, instance)
        ? [
            release
              ? {
                  text: words.now(amount(release.refundAmount, release.currency)),
                  // The least that must be refunded: the time for refunds may end before the press.
                  data: CHANGE.releaseNow.data({ ...at, limit: release.refundAmount }),
                  style: 'danger' as const,
                }
              : { text: words.button, data: CHANGE.release.data(at), style: 'danger' as const },
          ]
        : []),
    ],
  ]
}

/** A proxy in all formats, each of which a tap copies. */
export function formatsScreen(
  { texts }: View,
  { id }: StaticOrder,
  instance: Instance,
  position: number,
): Screen {
  return {
    text: lines(
      texts.proxies.formatsTitle(addressOf(instance)),
      ...PROXY_FORMATS.flatMap((format) => [
        '' as const,
        texts.orders.instance.line(formatProxy(format, instance)),
      ]),
    ),
    buttons: [
      ...PROXY_FORMATS.map((format) =>
        copyButton([formatProxy(format, instance)], () => `📋 ${texts.settings.formats[format]}`),
      ),
      [backButton(texts, ORDERS.proxy.data({ id, position })), homeButton(texts)],
    ],
  }
}

/** Asks for the note of a proxy. */
export function noteScreen({ texts }: View, instance: Instance | undefined, at: ProxyAt): Screen {
  const note = instance?.note ?? ''
  return {
    text: texts.proxies.whatNote(instance ? addressOf(instance) : '', note),
    buttons: [
      note === '' ? [] : [{ text: texts.proxies.buttons.noNote, data: PROXIES.noNote.data(at) }],
      [{ text: texts.buttons.cancel, data: ORDERS.proxy.data(at) }],
    ],
  }
}

/** Asks whether a proxy is to get another password. */
export function newPasswordScreen(
  { texts }: View,
  { id }: StaticOrder,
  instance: Instance,
  position: number,
): Screen {
  const { reset } = texts.orders
  return {
    text: reset.question(addressOf(instance)),
    buttons: [
      [{ text: reset.confirm, data: ORDERS.newPasswordYes.data({ id, position }) }],
      [backButton(texts, ORDERS.proxy.data({ id, position })), homeButton(texts)],
    ],
  }
}

function endLines({ texts, now }: View, order: StaticOrder, instance: Instance): Html[] {
  const { status, expireTime, releasedAt } = instance
  const end = new Date(expireTime)
  if (status === 'active') return [texts.orders.expires(texts.dateTime(end))]
  if (status === 'released' && releasedAt !== null)
    return [texts.orders.instance.released(texts.dateTime(new Date(releasedAt)))]
  return [
    texts.orders.expired(texts.dateTime(end)),
    ...(canRenew(order, instance, now)
      ? [texts.orders.renewableUntil(texts.dateTime(new Date(end.getTime() + GRACE_MS)))]
      : []),
  ]
}
