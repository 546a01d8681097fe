import {
  type ListedProxy,
  PROXY_FILTERS,
  type ProxyFacets,
  type ProxyFilter,
} from '../../../core/orders/list-proxies.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { Page } from '../../../core/page.ts'
import { translationIn } from '../../../core/translations.ts'
import { BUY } from '../../actions/buy.ts'
import { LINKS, ORDERS, PROXIES, SELECT } from '../../actions/orders.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { flag, placeName } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { HEALTH_SIGNS, healthSign, proxyIcon } from './order-screen.ts'

export const PROXIES_PER_PAGE = 6
/** Products and countries that can be chosen; the search finds the others. */
const MOST_PRODUCTS = 6
const MOST_COUNTRIES = 12

const FILTER_SIGNS: Readonly<Record<ProxyFilter, string>> = {
  active: '✅',
  ...HEALTH_SIGNS,
  expiring: '⏰',
  manual: '✋',
  noted: '📝',
  expired: '⌛',
  released: '🗑',
}

/** Owner of a list that has the proxies of an agent and all of its sub-users. */
export const ALL_USERS = 0

/** What a list of proxies is narrowed to; see {@link PROXIES}. */
export interface Narrowed {
  readonly user: number | undefined
  readonly filter: ProxyFilter
  readonly product: number | undefined
  readonly country: string | undefined
}

export const ALL_IN_USE: Narrowed = {
  user: undefined,
  filter: 'active',
  product: undefined,
  country: undefined,
}

export interface ListOfProxies extends Narrowed {
  readonly facets: ProxyFacets
  /** Username of the sub-user whose proxies they are. */
  readonly username: string | undefined
  readonly isAgent: boolean
}

/** Lists proxies of all orders: the facts of each in the text, and a button for each. */
export function proxiesListScreen(view: View, list: ListOfProxies, found: Page<ListedProxy>): Screen {
  const { texts } = view
  const { items, total, page, pageSize } = found
  const narrowed = narrowedOf(list)
  const here = PROXIES.list.data({ ...narrowed, page })
  const { counts } = list.facets
  const none = counts.active + counts.expired + counts.released === 0
  const buyFor = list.user === undefined ? BUY.begin.data() : BUY.beginFor.data({ user: list.user })
  return {
    text: lines(
      titleOf(texts, list),
      none
        ? texts.proxies.nothingYet
        : texts.proxies.counts(counts.active, counts.dead, counts.expiring, counts.expired),
      list.facets.processing > 0 ? texts.proxies.processing(list.facets.processing) : undefined,
      ...chosenLines(view, list),
      ...(total === 0 && !none ? ['' as const, texts.proxies.noneHere] : []),
      ...items.flatMap((proxy) => ['' as const, ...proxyLines(view, proxy, list.user)]),
    ),
    buttons: [
      ...items.map((proxy) => [proxyButton(view, proxy)]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) =>
        PROXIES.list.data({ ...narrowed, page: to }),
      ),
      none && list.user !== ALL_USERS
        ? [{ text: texts.buttons.buy, data: buyFor, style: 'primary' as const }]
        : [],
      none || list.user === ALL_USERS
        ? []
        : [
            { text: texts.orders.renew.button, data: SELECT.begin.data(narrowed) },
            ...(counts.active > 0
              ? [{ text: texts.orders.test.button, data: PROXIES.testAll.data({ user: list.user }) }]
              : []),
          ],
      none
        ? []
        : [
            { text: texts.proxies.buttons.filter, data: PROXIES.filters.data(narrowed) },
            { text: texts.orders.search.button, data: PROXIES.search.data({ list: here }) },
          ],
      [
        { text: texts.proxies.buttons.orders, data: ordersData(list.user) },
        ...(none ? [] : [{ text: texts.proxies.buttons.export, data: PROXIES.export.data(narrowed) }]),
      ],
      [
        ...(list.user === undefined
          ? []
          : [
              backButton(
                texts,
                list.user === ALL_USERS
                  ? USERS.list.data({ position: AS_LEFT })
                  : USERS.view.data({ id: list.user }),
              ),
            ]),
        homeButton(texts),
      ],
    ],
  }
}

/** What a search has found, as a list of its own. */
export function foundProxiesScreen(
  view: View,
  found: { readonly total: number; readonly shown: number; readonly list: string },
  { items, total, page, pageSize }: Page<ListedProxy>,
): Screen {
  const { texts } = view
  return {
    text: lines(
      texts.proxies.found(found.total),
      found.shown < found.total ? texts.proxies.foundMore(found.shown) : undefined,
      ...items.flatMap((proxy) => ['' as const, ...proxyLines(view, proxy, ALL_USERS)]),
    ),
    buttons: [
      ...items.map((proxy) => [proxyButton(view, proxy)]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => PROXIES.found.data({ page: to })),
      [{ text: texts.orders.search.button, data: PROXIES.search.data({ list: found.list }) }],
      [backButton(texts, found.list), homeButton(texts)],
    ],
  }
}

/** Shows the filters of the list, each with its number of proxies; a press leads back to the list. */
export function filtersScreen(view: View, list: ListOfProxies): Screen {
  const { texts, language } = view
  const { facets } = list
  const narrowed = narrowedOf(list)
  const to = (change: Partial<Narrowed>) => PROXIES.list.data({ ...narrowed, ...change })
  const states = PROXY_FILTERS.filter((each) => each === list.filter || facets.counts[each] > 0).map((each) =>
    // The check mark takes the place of the sign: both do not fit beside each other on a phone.
    ({
      text: `${each === list.filter ? '✓' : FILTER_SIGNS[each]} ${texts.proxies.filters[each]} ${facets.counts[each]}`,
      data: to({ filter: each }),
    }),
  )
  const products = facets.products
    .slice(0, MOST_PRODUCTS)
    .map(({ id, names, count }) => [
      choiceButton(
        texts.proxies.counted(translationIn(names, language), count),
        id === list.product,
        to({ product: id === list.product ? undefined : id }),
      ),
    ])
  const countries = facets.countries
    .slice(0, MOST_COUNTRIES)
    .map(({ code, count }) =>
      choiceButton(
        `${flag(code)} ${code} ${count}`,
        code === list.country,
        to({ country: code === list.country ? undefined : code }),
      ),
    )
  const owners = [
    choiceButton(texts.proxies.mine, list.user === undefined, to({ user: undefined })),
    choiceButton(texts.proxies.everybody, list.user === ALL_USERS, to({ user: ALL_USERS })),
  ]
  return {
    text: lines(texts.proxies.filterTitle, ...chosenLines(view, list)),
    buttons: [
      list.isAgent && (list.user === undefined || list.user === ALL_USERS) ? owners : [],
      ...grid(states, 2),
      ...(products.length > 1 || list.product !== undefined ? products : []),
      ...(countries.length > 1 || list.country !== undefined ? grid(countries, 3) : []),
      [{ text: texts.proxies.buttons.noFilter, data: PROXIES.list.data({ user: list.user }) }],
      [backButton(texts, to({})), homeButton(texts)],
    ],
  }
}

/** Callback data of the orders of an owner. */
function ordersData(user: number | undefined): string {
  if (user === undefined) return ORDERS.list.data({})
  return user === ALL_USERS ? ORDERS.ofAll.data({ filter: 'all', page: 1 }) : ORDERS.ofUser.data({ user })
}

/** What is in use as a file, or as a link. */
export function exportScreen({ texts }: View, list: ListOfProxies, ownId: number): Screen {
  const { user } = list
  const file = (kind: 'txt' | 'csv') =>
    user === ALL_USERS
      ? ORDERS.fileOfAll.data({ kind })
      : ORDERS.fileOfUser.data({ user: user ?? ownId, kind })
  return {
    text: lines(titleOf(texts, list), '', texts.proxies.exportText),
    buttons: [
      [
        { text: texts.orders.export.text, data: file('txt') },
        { text: texts.orders.export.csv, data: file('csv') },
      ],
      user === ALL_USERS
        ? []
        : [{ text: texts.proxyLinks.newLink, data: LINKS.begin.data({ user: user ?? ownId }) }],
      [backButton(texts, PROXIES.list.data(narrowedOf(list))), homeButton(texts)],
    ],
  }
}

function narrowedOf({ user, filter, product, country }: Narrowed): Narrowed {
  return { user, filter, product, country }
}

function titleOf({ proxies }: Texts, { user, username }: ListOfProxies): Html {
  if (user === ALL_USERS) return proxies.titleOfAll
  return username === undefined ? proxies.title : proxies.titleOf(username)
}

/** Names what the list is narrowed to; nothing where it has all proxies in use. */
function chosenLines({ texts, language }: View, list: ListOfProxies): Html[] {
  const { filter, product, country, facets } = list
  const named = facets.products.find(({ id }) => id === product)
  const chosen = [
    ...(filter === 'active'
      ? []
      : [`${FILTER_SIGNS[filter]} ${texts.proxies.filters[filter]} (${facets.counts[filter]})`]),
    ...(named ? [translationIn(named.names, language)] : []),
    ...(country === undefined ? [] : [placeName({ countryCode: country }, language)]),
  ]
  return chosen.length > 0 ? [texts.proxies.chosen(chosen.join(' · '))] : []
}

/** The two lines of a proxy: address and note; place and end. */
function proxyLines({ texts, language }: View, proxy: ListedProxy, user: number | undefined): Html[] {
  const { status, countryCode, cityCode, expireTime, releasedAt, note, owner } = proxy
  const end = texts.date(new Date(status === 'released' ? (releasedAt ?? expireTime) : expireTime))
  return [
    html`${healthSign(proxy)}<code>${addressOf(proxy)}</code>${note === '' ? '' : ` 📝 ${note}`}`,
    html`${placeName({ countryCode, cityCode }, language)} · ${texts.proxies.ends[status](end)}${
      user === ALL_USERS ? ` · 👤 ${owner}` : ''
    }`,
  ]
}

function proxyButton({ texts, now }: View, proxy: ListedProxy): Button {
  const { status, health, countryCode, ip, expireTime, note, orderId, position } = proxy
  const isFine = status === 'active' && (health === 'works' || health === 'not_tested')
  const sign = isFine ? flag(countryCode) : proxyIcon(texts, proxy)
  return {
    text: texts.proxies.button(sign, ip, note, texts.shortDate(new Date(expireTime), now)),
    data: ORDERS.proxy.data({ id: orderId, position }),
  }
}
