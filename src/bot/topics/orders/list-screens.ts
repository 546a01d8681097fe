import { ORDER_FILTERS } from '../../../core/orders/list-static-orders.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import type { Page } from '../../../core/page.ts'
import { translationIn } from '../../../core/translations.ts'
import { BUY } from '../../actions/buy.ts'
import { type OrderFilter, ORDERS } from '../../actions/orders.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, MAX_COPY, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const ORDERS_PER_PAGE = 6

/** Whose orders are listed: the person's own, those of a direct sub-user of an agent, or all that the agent may see. */
export interface Owner {
  /** Undefined for all. */
  readonly id: number | undefined
  /** Username of a sub-user; undefined for the person itself, and for all. */
  readonly username: string | undefined
}

/** An agent and all of its sub-users. */
export const EVERYBODY: Owner = { id: undefined, username: undefined }

/** Callback data of a list of orders. */
export function packList({ id, username }: Owner, filter: OrderFilter, page: number): string {
  if (id === undefined) return ORDERS.ofAll.data({ filter, page })
  return username === undefined
    ? ORDERS.list.data({ filter, page })
    : ORDERS.ofUser.data({ user: id, filter, page })
}

/** A list of orders, newest first. */
export function ordersScreen(
  view: View,
  owner: Owner,
  filter: OrderFilter,
  { items, total, page, pageSize }: Page<StaticOrder>,
): Screen {
  const { texts } = view
  const empty = total === 0 && filter === 'all'
  return {
    text: empty
      ? emptyText(texts, owner)
      : lines(
          title(texts, owner, total),
          filter === 'all' ? undefined : texts.proxies.chosen(texts.orders.filters[filter]),
          ...(total === 0 ? ['' as const, texts.orders.noneHere] : []),
        ),
    buttons: [
      ...items.map((order) => [orderButton(view, order, owner.id)]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => packList(owner, filter, to)),
      ...(empty ? [] : toolButtons(texts, owner, filter, packList(owner, filter, page))),
      ...(owner.id !== undefined && (empty || owner.username !== undefined)
        ? [[buyButton(texts, owner.id, owner.username)]]
        : []),
      [
        ...(owner.id === undefined ? [backButton(texts, USERS.list.data({ position: AS_LEFT }))] : []),
        ...(owner.id === undefined || owner.username === undefined
          ? []
          : [backButton(texts, USERS.view.data({ id: owner.id }))]),
        homeButton(texts),
      ],
    ],
  }
}

/** Shows the filters of the list, each with its number of orders; a press leads back to the list. */
export function orderFiltersScreen(
  { texts }: View,
  owner: Owner,
  chosen: OrderFilter,
  counts: ReadonlyMap<OrderFilter, number>,
): Screen {
  const filters = ORDER_FILTERS.filter((each) => each === chosen || each === 'all' || counts.get(each)).map(
    (each) =>
      choiceButton(
        texts.proxies.counted(texts.orders.filters[each], counts.get(each) ?? 0),
        each === chosen,
        packList(owner, each, 1),
      ),
  )
  return {
    text: texts.orders.filterTitle,
    buttons: [...grid(filters, 2), [backButton(texts, packList(owner, chosen, 1)), homeButton(texts)]],
  }
}

function title({ orders }: Texts, { id, username }: Owner, total: number): Html {
  if (id === undefined) return orders.titleOfAll(total)
  return username === undefined ? orders.title(total) : orders.titleOf(username, total)
}

function emptyText({ orders }: Texts, { id, username }: Owner): Html {
  if (id === undefined) return orders.emptyOfAll
  return username === undefined ? orders.empty : orders.emptyOf(username)
}

/** @param list callback data */
function toolButtons(
  { orders, proxies }: Texts,
  { id, username }: Owner,
  filter: OrderFilter,
  list: string,
): Button[][] {
  const user = id === undefined ? 0 : username === undefined ? undefined : id
  const file = (kind: 'txt' | 'csv') =>
    id === undefined ? ORDERS.fileOfAll.data({ kind }) : ORDERS.fileOfUser.data({ user: id, kind })
  return [
    [
      { text: proxies.buttons.filter, data: ORDERS.filters.data({ user, filter }) },
      { text: orders.search.button, data: ORDERS.search.data({ list }) },
    ],
    [
      { text: orders.export.allText, data: file('txt') },
      { text: orders.export.allCsv, data: file('csv') },
    ],
  ]
}

function buyButton(texts: Texts, id: number, username: string | undefined): Button {
  return username === undefined
    ? { text: texts.buttons.buy, data: BUY.begin.data(), style: 'primary' }
    : { text: texts.buy.forUser(username), data: BUY.beginFor.data({ user: id }), style: 'primary' }
}

/**
 * Orders that a search has found.
 *
 * @param found.list callback data of the list that was searched
 */
export function foundScreen(
  view: View,
  actorId: number,
  found: { readonly total: number; readonly shown: number; readonly list: string },
  { items, total, page, pageSize }: Page<StaticOrder>,
): Screen {
  const { texts } = view
  const { search } = texts.orders
  return {
    text: lines(search.found(found.total), ...(found.shown < found.total ? [search.more(found.shown)] : [])),
    buttons: [
      ...items.map((order) => [orderButton(view, order, actorId)]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => ORDERS.found.data({ page: to })),
      [{ text: search.button, data: ORDERS.search.data({ list: found.list }) }],
      [backButton(texts, found.list), homeButton(texts)],
    ],
  }
}

/** @param ownerId the user whose name is left out on its orders */
function orderButton(
  { texts, language, now }: View,
  order: StaticOrder,
  ownerId: number | undefined,
): Button {
  const { createdAt, status, username, userId } = order
  const firstEnd = order.firstExpireTime ?? order.expireTime
  const date =
    firstEnd === null || status === 'cancelled'
      ? texts.orders.created(texts.shortDate(new Date(createdAt), now))
      : texts.orders.until(texts.shortDate(new Date(firstEnd), now))
  const icon = order.instancesDead > 0 ? '🔴' : statusIcon(texts.status[status])
  const name = userId === ownerId ? translationIn(order.productNames, language) : username
  const what = userId === ownerId ? name : `👤 ${name}`
  return {
    text: `${icon} ${order.ipCount} × ${what} ${date}`,
    name,
    data: ORDERS.view.data({ id: order.id }),
  }
}

/** Telegram copies at most 256 characters; a page that is one longer line has no button, and is copied by a tap on it. */
export function copyButton(shown: readonly string[], label: (count: number) => string): Button[] {
  const text = shown.join('\n')
  return text.length > 0 && text.length <= MAX_COPY ? [{ text: label(shown.length), copy: text }] : []
}

/** The symbol that each status text begins with. */
export function statusIcon(status: string): string {
  return status.split(' ')[0] ?? ''
}
