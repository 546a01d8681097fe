import { daysAgo } from '../../../core/calendar-day.ts'
import { HOSTS_KEPT_DAYS } from '../../../core/gateway/count-targets.ts'
import type { UsageFigures } from '../../../core/gateway/usage-figures.ts'
import type { SubUser } from '../../../core/accounts/sub-user.ts'
import type { ProductFlow } from '../../../core/traffic/remaining-traffic.ts'
import { translationIn } from '../../../core/translations.ts'
import { ALLOWED, TRAFFIC, USAGE } from '../../actions/traffic.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { columns } from '../../kit/columns.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { bar, gigabytes, usageBar, used } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { accountLines, inButton, type TrafficAccount } from './account.ts'

/** Days whose use is shown one by one. */
export const DAYS_SHOWN = 14
const PRODUCTS_PER_PAGE = 8
/** Characters shown of a host: its end, which tells whose it is. */
const HOST_SHOWN = 48

/** Products of which a sub-user has traffic. */
export function usedProductsScreen(
  { texts, language }: View,
  owner: SubUser,
  flows: readonly ProductFlow[],
  wanted: number,
): Screen {
  const { items, page, pages } = pageOf(flows, wanted, PRODUCTS_PER_PAGE)
  const buttons = items.map((flow): Button[] => {
    const name = translationIn(flow.productNames, language)
    const text = texts.traffic.productButton(name, gigabytes(flow.remaining, texts))
    return [{ text, name, data: USAGE.days.data({ product: flow.productId, user: owner.id }) }]
  })
  return {
    text: lines(
      texts.usage.title,
      texts.orders.user(owner.username),
      '',
      flows.length > 0 ? texts.traffic.buy.product : texts.usage.noTraffic,
    ),
    buttons: [
      ...buttons,
      ...pager(texts, page, pages, (to) => USAGE.products.data({ user: owner.id, page: to })),
      [backButton(texts, TRAFFIC.orders.data({ page: 1, user: owner.id })), homeButton(texts)],
    ],
  }
}

/** What is left of a traffic account, and what was used on each of the last days. */
export function usageScreen(view: View, account: TrafficAccount, { days }: UsageFigures): Screen {
  const { texts, now } = view
  const { usage, traffic } = texts
  const { flow, owner } = account
  const which = inButton(account)
  const of = new Map(days.map(({ day, bytes }) => [day, bytes]))
  const most = Math.max(...of.values(), 0)
  const shown = Array.from({ length: DAYS_SHOWN }, (_, ago) => daysAgo(now, ago))
  const widest = Math.max(...shown.map((day) => columns(texts.shortDay(day))))
  const aligned = (day: string) => ' '.repeat(widest - columns(texts.shortDay(day))) + texts.shortDay(day)
  return {
    text: lines(
      usage.title,
      '',
      accountLines(view, account),
      traffic.bar(usageBar(flow.total - flow.remaining, flow.total)),
      traffic.left(gigabytes(flow.remaining, texts), gigabytes(flow.total, texts)),
      usage.today(used(of.get(daysAgo(now, 0)) ?? 0, texts)),
      '',
      most > 0 ? usage.lastDays(DAYS_SHOWN) : usage.nothing(DAYS_SHOWN),
      ...(most > 0
        ? shown.map((day) =>
            usage.day(aligned(day), bar(of.get(day) ?? 0, most), used(of.get(day) ?? 0, texts)),
          )
        : []),
      '',
      usage.asOf(texts.dateTime(now)),
    ),
    buttons: [
      [
        { text: usage.buttons.hosts, data: USAGE.hosts.data(which) },
        { text: texts.buttons.refresh, data: USAGE.days.data(which) },
      ],
      [
        ...(most > 0 ? [{ text: usage.buttons.chart, data: USAGE.chart.data(which) }] : []),
        ...(owner ? [{ text: texts.allowed.buttons.open, data: ALLOWED.list.data(which) }] : []),
      ],
      [
        backButton(
          texts,
          owner
            ? TRAFFIC.orders.data({ page: 1, user: owner.id })
            : TRAFFIC.product.data({ product: flow.productId }),
        ),
        homeButton(texts),
      ],
    ],
  }
}

/**
 * The hosts with the most use.
 *
 * @param day the one day that is shown; undefined for the last days
 */
export function hostsScreen(
  view: View,
  account: TrafficAccount,
  figures: UsageFigures,
  day: string | undefined,
): Screen {
  const { texts, now } = view
  const { usage } = texts
  const which = inButton(account)
  const today = daysAgo(now, 0)
  const other = (wanted: string, text: string): Button => ({
    text,
    data: USAGE.hosts.data({ ...which, day: wanted }),
  })
  const several: Button = { text: usage.buttons.week, data: USAGE.hosts.data(which) }
  const before = day && daysAgo(new Date(day), 1)
  const after = day && daysAgo(new Date(day), -1)
  return {
    text: lines(
      usage.hosts,
      '',
      accountLines(view, account),
      usage.range(texts.day(figures.from), texts.day(figures.to)),
      usage.total(used(figures.bytes, texts)),
      '',
      ...hostLines(view, figures),
      '',
      usage.asOf(texts.dateTime(now)),
    ),
    buttons: [
      before === undefined || after === undefined
        ? [other(today, usage.buttons.today)]
        : [
            ...(before > daysAgo(now, HOSTS_KEPT_DAYS) ? [other(before, `‹ ${texts.shortDay(before)}`)] : []),
            several,
            ...(after <= today ? [other(after, `${texts.shortDay(after)} ›`)] : []),
          ],
      [{ text: texts.buttons.refresh, data: USAGE.hosts.data({ ...which, day }) }],
      [
        figures.keepsHosts
          ? { text: usage.buttons.forget, data: USAGE.askForget.data({ ...which, day }) }
          : { text: usage.buttons.keep, data: USAGE.keepHosts.data({ ...which, keep: true, day }) },
      ],
      [backButton(texts, USAGE.days.data(which)), homeButton(texts)],
    ],
  }
}

function hostLines({ texts }: View, { keepsHosts, targets, otherTargets }: UsageFigures): Html[] {
  const { usage } = texts
  if (!keepsHosts) return [usage.notKept]
  if (targets.length === 0 && otherTargets === 0) return [usage.noHosts]
  return [
    ...targets.map(({ host, bytes }, at) => usage.host(at + 1, shortHost(host), used(bytes, texts))),
    ...(otherTargets > 0 ? [usage.others(used(otherTargets, texts))] : []),
    usage.kept(HOSTS_KEPT_DAYS),
  ]
}

/** Asks whether hosts shall no longer be kept, which forgets those that were. */
export function askForgetScreen(view: View, account: TrafficAccount, day: string | undefined): Screen {
  const { texts } = view
  const which = inButton(account)
  return {
    text: lines(texts.usage.askForget, '', accountLines(view, account)),
    buttons: [
      [
        {
          text: texts.usage.buttons.forgetNow,
          data: USAGE.keepHosts.data({ ...which, keep: false, day }),
          style: 'danger',
        },
      ],
      [backButton(texts, USAGE.hosts.data({ ...which, day })), homeButton(texts)],
    ],
  }
}

function shortHost(host: string): string {
  return host.length > HOST_SHOWN ? `…${host.slice(1 - HOST_SHOWN)}` : host
}
