import type { SubUser } from '../../../core/accounts/sub-user.ts'
import { fromNumber } from '../../../core/money.ts'
import type { Page } from '../../../core/page.ts'
import type { ProductFlow } from '../../../core/traffic/remaining-traffic.ts'
import { translationIn } from '../../../core/translations.ts'
import { BUY } from '../../actions/buy.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import { type ListPosition } from '../../actions/list-position.ts'
import { PROXIES } from '../../actions/orders.ts'
import { PROMO } from '../../actions/promotions.ts'
import { RECORDS } from '../../actions/records.ts'
import { BUY_TRAFFIC, TRAFFIC } from '../../actions/traffic.ts'
import { CONTACT_FIELDS, USERS } from '../../actions/users.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { amount, balanceText } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const USERS_PER_PAGE = 8
/** Amounts that one press gives, in units of the currency. */
const QUICK_AMOUNTS = [10, 50, 100]

/** Everything that an agent sees of a sub-user. */
interface UserDetails {
  readonly user: SubUser
  readonly activeProxies: number
  readonly traffic: readonly ProductFlow[]
}

/**
 * The agent's direct sub-users.
 *
 * @param search what they were searched by
 */
export function usersScreen(
  { texts, currency }: View,
  { items, total, page, pageSize }: Page<SubUser>,
  status: ListPosition['status'],
  search: string | undefined,
): Screen {
  const { users } = texts
  const position = { page, status }
  const found = items.map((user): Button => ({
    text: users.button(stateIcon(texts, user), user.username, balanceText(user.balance, currency)),
    name: user.username,
    data: USERS.view.data({ id: user.id, position }),
  }))
  const everybody = search === undefined && !status
  return {
    text: lines(
      users.title(total),
      search === undefined ? undefined : users.searched(search),
      status && texts.proxies.chosen(users.statuses[status]),
      ...(total > 0 ? [] : ['' as const, everybody ? users.none : users.noneFound]),
    ),
    buttons: [
      ...grid(found, 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) =>
        USERS.list.data({ position: { page: to, status } }),
      ),
      [
        { text: users.buttons.create, data: USERS.create.data(), style: 'primary' },
        { text: users.buttons.more, data: USERS.more.data({ position }) },
      ],
      [{ text: users.buttons.joinLinks, data: USERS.links.data({}) }],
      [
        { text: texts.proxies.buttons.filter, data: USERS.filters.data({ position }) },
        ...(everybody && total === 0
          ? []
          : [{ text: users.buttons.search, data: USERS.search.data({ position }) }]),
      ],
      search === undefined ? [] : [{ text: users.buttons.endSearch, data: USERS.list.data() }],
      [homeButton(texts)],
    ],
  }
}

/** Shows the statuses, each with its number of sub-users; a press leads back to the list. */
export function userFiltersScreen(
  { texts }: View,
  position: ListPosition,
  counts: readonly (readonly [status: ListPosition['status'], count: number])[],
): Screen {
  const { users } = texts
  const choices = counts.map(([status, count]) =>
    choiceButton(
      texts.proxies.counted(status ? users.statuses[status] : users.all, count),
      status === position.status,
      USERS.list.data({ position: { page: 1, status } }),
    ),
  )
  return {
    text: users.filterTitle,
    buttons: [...grid(choices, 2), [backButton(texts, USERS.list.data({ position })), homeButton(texts)]],
  }
}

/**
 * What is done with many sub-users at once.
 *
 * @param total of the list
 */
export function manyUsersScreen({ texts }: View, position: ListPosition, total: number): Screen {
  const { users } = texts
  const { buttons } = users
  return {
    text: users.title(total),
    buttons: [
      [{ text: buttons.createMany, data: USERS.createMany.data() }],
      total > 1 ? [{ text: buttons.select, data: USERS.select.data({ page: 1 }) }] : [],
      total > 0
        ? [
            { text: buttons.message, data: USERS.message.data({ picked: false }) },
            { text: buttons.file, data: USERS.file.data({ position }) },
          ]
        : [],
      total > 0 ? [{ text: buttons.allOrders, data: PROXIES.list.data({ user: 0 }) }] : [],
      [{ text: texts.promo.buttons.codes, data: PROMO.list.data({}) }],
      [backButton(texts, USERS.list.data({ position })), homeButton(texts)],
    ],
  }
}

/**
 * One sub-user, and what can be done with it.
 *
 * @param note what has just been done
 */
export function userScreen(view: View, details: UserDetails, position: ListPosition, note?: Html): Screen {
  const { texts } = view
  const { user } = details
  return {
    text: lines(...(note ? [note, '' as const] : []), ...userLines(view, details)),
    buttons: [
      ...(user.status === 'deleted' ? [] : moneyButtons(texts, user, position)),
      [
        { text: texts.users.buttons.orders, data: PROXIES.list.data({ user: user.id }) },
        { text: texts.users.buttons.traffic, data: TRAFFIC.orders.data({ page: 1, user: user.id }) },
        { text: texts.users.buttons.records, data: RECORDS.ofUser.data({ userId: user.id }) },
      ],
      ...(user.status === 'deleted' ? [] : accountButtons(texts, user, position)),
      [backButton(texts, USERS.list.data({ position })), homeButton(texts)],
    ],
  }
}

function userLines(
  { texts, language, currency }: View,
  { user, activeProxies, traffic }: UserDetails,
): Html[] {
  const { users } = texts
  const contact = [
    user.email === '' ? undefined : users.email(user.email),
    user.phone === '' ? undefined : users.phone(user.phone),
    user.remark === '' ? undefined : users.remark(user.remark),
  ]
  return [
    users.name(user.username),
    users.state(users.statuses[stateOf(user)]),
    users.balance(balanceText(user.balance, currency)),
    users.totals(balanceText(user.totalRecharge, currency), balanceText(user.totalConsumption, currency)),
    users.proxies(activeProxies),
    ...traffic.map((flow) =>
      users.traffic(translationIn(flow.productNames, language), gigabytes(flow.remaining, texts)),
    ),
    ...contact.filter((line) => line !== undefined),
    users.since(texts.date(new Date(user.createdAt))),
  ]
}

function moneyButtons({ users, buttons, traffic }: Texts, user: SubUser, position: ListPosition): Button[][] {
  const { id, status } = user
  return [
    QUICK_AMOUNTS.map((units) => ({
      text: `+${units}`,
      data: USERS.give.data({ id, position, change: fromNumber(units) ?? 0 }),
    })),
    [{ text: users.buttons.adjust, data: USERS.adjust.data({ id, position }), style: 'primary' }],
    [{ text: users.buttons.prices, data: EARNINGS.prices.data({ page: 1, userId: id }) }],
    status === 'active'
      ? [
          { text: buttons.buy, data: BUY.beginFor.data({ user: id }) },
          { text: traffic.buttons.buy, data: BUY_TRAFFIC.forUser.data({ user: id }) },
        ]
      : [],
  ]
}

function accountButtons(
  { users: { buttons } }: Texts,
  { id, status }: SubUser,
  position: ListPosition,
): Button[][] {
  const user = { id, position }
  const active = status === 'active'
  const switched = active ? 'disabled' : 'active'
  return [
    active ? [{ text: buttons.invite, data: USERS.invite.data(user) }] : [],
    [
      { text: buttons.rename, data: USERS.rename.data(user) },
      { text: buttons.password, data: USERS.password.data(user) },
    ],
    CONTACT_FIELDS.map((field) => ({
      text: buttons[field],
      data: USERS.contact.data({ ...user, field }),
    })),
    [
      {
        text: active ? buttons.disable : buttons.enable,
        data: USERS.status.data({ ...user, status: switched }),
        style: active ? 'danger' : 'success',
      },
      { text: buttons.remove, data: USERS.remove.data(user), style: 'danger' },
    ],
  ]
}

/** @param link shown this one time */
export function inviteScreen(
  { texts }: View,
  { userId, username, expiresAt }: { userId: number; username: string; expiresAt: Date },
  link: string,
  position: ListPosition,
): Screen {
  return {
    text: texts.users.invited(username, link, texts.zonedTime(expiresAt)),
    buttons: [
      [{ text: texts.users.buttons.copyLink, copy: link }],
      [backButton(texts, USERS.view.data({ id: userId, position })), homeButton(texts)],
    ],
  }
}

/** Shows a password that the service made, this one time. */
export function newPasswordScreen(
  { texts }: View,
  user: SubUser,
  password: string,
  position: ListPosition,
): Screen {
  const { buttons, passwordMade } = texts.users
  return {
    text: passwordMade(user.username, password),
    buttons: [
      [{ text: buttons.copyLogin, copy: `${user.username}\n${password}` }],
      [backButton(texts, USERS.view.data({ id: user.id, position })), homeButton(texts)],
    ],
  }
}

export function deletedScreen(
  { texts, currency }: View,
  username: string,
  returned: number,
  position: ListPosition,
): Screen {
  return {
    text: texts.users.deleted(username, returned > 0 ? amount(returned, currency) : undefined),
    buttons: [[backButton(texts, USERS.list.data({ position })), homeButton(texts)]],
  }
}

/** What the agent has to know about an account at first: that it still waits for its activation, or else its status. */
function stateOf({ status, activated }: SubUser) {
  return status === 'active' && !activated ? 'notActivated' : status
}

/** The status in words. */
export function statusText(texts: Texts, user: SubUser): string {
  return texts.users.statuses[stateOf(user)].replace(/^\S+ /, '')
}

/** The symbol that each status begins with. */
function stateIcon(texts: Texts, user: SubUser): string {
  return texts.users.statuses[stateOf(user)].split(' ')[0] ?? ''
}
