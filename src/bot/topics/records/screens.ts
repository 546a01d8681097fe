import type { Dashboard, SubUserFigures } from '../../../core/records/dashboard.ts'
import type { Transaction, TransactionPage } from '../../../core/records/list-transactions.ts'
import type { Days } from '../../../core/periods.ts'
import {
  type KindLetter,
  KINDS,
  type PeriodLetter,
  type RecordsFilter,
} from '../../actions/records-filter.ts'
import { RECORDS } from '../../actions/records.ts'
import { USERS } from '../../actions/users.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { amount, balanceText, figure } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const RECORDS_PER_PAGE = 6
const MAX_REMARK = 60

/** Whose records are on the screen. */
export interface Owner {
  /** Name of the account; undefined for an agent together with all its sub-users. */
  readonly username: string | undefined
  /** Target of the switch between the agent alone and everybody; undefined for customers, and for a sub-user's records. */
  readonly other: { readonly userId: number | undefined } | undefined
  /** Callback data of Back; undefined where the records were opened from the main menu. */
  readonly back: string | undefined
}

/** @param days undefined for all time */
export function recordsScreen(
  view: View,
  filter: RecordsFilter,
  owner: Owner,
  days: Days | undefined,
  { items, total, income, expense, internal, page, pageSize }: TransactionPage,
): Screen {
  const { texts, currency } = view
  const { records } = texts
  const to = (changes: Partial<RecordsFilter>) => RECORDS.list.data({ ...filter, ...changes })
  const period = (letter: PeriodLetter, text: string) =>
    choiceButton(text, filter.period === letter, to({ period: letter }))
  const isTyped = typeof filter.period !== 'string'
  return {
    text: lines(
      records.title,
      '',
      owner.username === undefined ? records.withSubUsers : records.of(owner.username),
      days
        ? records.period(periodName(texts, filter), texts.day(days.startDate), texts.day(days.endDate))
        : records.allTime,
      // Transfers between accounts of the same business are neither its income nor its expense.
      records.sums(amount(income - internal, currency), amount(expense - internal, currency)),
      internal > 0 ? records.internal(amount(internal, currency)) : undefined,
      records.total(total),
      ...(total === 0 ? ['' as const, records.none] : []),
      ...items.flatMap((entry) => ['' as const, entryText(view, entry, owner.username === undefined)]),
    ),
    buttons: [
      ...pager(texts, page, Math.ceil(total / pageSize), (wanted) =>
        RECORDS.list.data({ ...filter, page: wanted }),
      ),
      (['a', 's', 'f'] as const).map((letter: KindLetter) =>
        choiceButton(records.filters[KINDS[letter]], filter.kind === letter, to({ kind: letter })),
      ),
      [period('m', records.periods.month), period('l', records.periods.lastMonth)],
      [
        period('d', records.periods.days),
        period('a', records.periods.all),
        choiceButton(records.periods.dates, isTyped, RECORDS.askDates.data(filter)),
      ],
      owner.other
        ? [
            {
              text:
                owner.other.userId === undefined ? records.buttons.withSubUsers : records.buttons.onlyMine,
              data: to({ userId: owner.other.userId }),
            },
          ]
        : [],
      [
        { text: records.buttons.chart, data: RECORDS.chart.data({ ...filter, page }) },
        ...(total > 0 ? [{ text: records.buttons.csv, data: RECORDS.file.data(filter) }] : []),
      ],
      [...(owner.back === undefined ? [] : [backButton(texts, owner.back)]), homeButton(texts)],
    ],
  }
}

export function askDatesScreen({ texts }: View, filter: RecordsFilter): Screen {
  return promptScreen(texts, texts.records.askDates, RECORDS.list.data(filter))
}

/**
 * What an account has spent, as a picture; the caption says what is in it.
 *
 * @param username account that spent; undefined for the person's own
 * @param photo PNG, base64; undefined when nothing was spent
 * @param back callback data of the records
 */
export function spendingScreen(
  { texts, currency }: View,
  { statistics, dailyStats }: Dashboard,
  username: string | undefined,
  photo: string | undefined,
  back: string,
): Screen {
  const { records } = texts
  const { chart } = records
  const show = (micros: number) => balanceText(micros, currency)
  const total = dailyStats.reduce((sum, day) => sum + day.amount, 0)
  return {
    ...(photo !== undefined && { photo }),
    text: lines(
      chart.spending,
      username === undefined ? undefined : records.of(username),
      '',
      photo === undefined ? chart.nothing : chart.days(show(total)),
      chart.month(show(statistics.monthConsumption), show(statistics.lastMonthConsumption)),
      chart.recharged(show(statistics.monthRecharge)),
    ),
    buttons: [[backButton(texts, back), homeButton(texts)]],
  }
}

/** An agent's business: its own account and its sub-users together. */
export function dashboardScreen(
  { texts, currency }: View,
  figures: Dashboard,
  subUsers: SubUserFigures,
  photo: string | undefined,
): Screen {
  const { dashboard } = texts.records
  const { statistics, orders } = figures
  const show = (micros: number) => balanceText(micros, currency)
  const left = figures.dynamicResources.reduce((sum, { remainingBytes }) => sum + remainingBytes, 0)
  return {
    ...(photo !== undefined && { photo }),
    text: lines(
      dashboard.title,
      '',
      dashboard.balance(balanceText(figures.balance, currency)),
      dashboard.spending(show(statistics.monthConsumption), show(statistics.lastMonthConsumption)),
      dashboard.orders(orders.static.total, orders.static.processing, orders.dynamic.total),
      figures.dynamicResources.length > 0 ? dashboard.traffic(gigabytes(left, texts)) : undefined,
      '',
      dashboard.subUsers(subUsers.total, subUsers.disabled),
      dashboard.theirBalance(balanceText(subUsers.balance, currency)),
      dashboard.theirSpending(show(subUsers.monthConsumption), show(subUsers.lastMonthConsumption)),
      '',
      dashboard.expiring(figures.expiringSoon, subUsers.expiringSoon),
      '',
      photo === undefined ? texts.records.chart.nothing : dashboard.legend,
    ),
    buttons: [
      [
        { text: texts.buttons.refresh, data: RECORDS.dashboard.data() },
        { text: texts.home.buttons.records, data: RECORDS.all.data() },
      ],
      [{ text: texts.home.buttons.subUsers, data: USERS.list.data() }, homeButton(texts)],
    ],
  }
}

function periodName({ records: { periods } }: Texts, { period }: RecordsFilter): string {
  const names = { m: periods.month, l: periods.lastMonth, d: periods.days, a: periods.all }
  return typeof period === 'string' ? names[period] : periods.dates
}

/** @param named whether to name the account of the entry */
function entryText({ texts, currency }: View, entry: Transaction, named: boolean): Html {
  const { records } = texts
  const words = remarkText(texts, entry)
  const remark = words.length > MAX_REMARK ? `${words.slice(0, MAX_REMARK)}…` : words
  const orderType = entry.orderType && records.orderTypes[entry.orderType]
  return records.entry({
    time: texts.dateTime(new Date(entry.createdAt)),
    kind: records.kinds[entry.type],
    amount: `${entry.amount > 0 ? '+' : ''}${amount(entry.amount, currency)}`,
    after: figure(entry.balanceAfter),
    username: named ? entry.username : undefined,
    details: [orderType, entry.orderNo, remark].filter(Boolean).join(' · '),
  })
}

/** Returns a remark of the service itself in the chat's language, one that a person wrote as it is. */
export function remarkText({ records }: Texts, { remark, remarkKind, renewOrderNo }: Transaction): string {
  return remarkKind ? `${records.remarks[remarkKind]} ${renewOrderNo ?? ''}`.trim() : remark
}
