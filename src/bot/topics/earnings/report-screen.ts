import { dayOf } from '../../../core/calendar-day.ts'
import type { EarningsReport } from '../../../core/earnings/earnings-report.ts'
import { translationIn } from '../../../core/translations.ts'
import { EARNINGS, REPORT_PARTS, REPORT_PERIODS } from '../../actions/earnings.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { dayChart } from '../../kit/charts/day-chart.ts'
import { COLOR } from '../../kit/charts/palette.ts'
import { amount } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'

/** Most lines that fit into the caption of a picture, even with the longest names. */
const LINES_PER_PAGE = 5

interface Shown {
  readonly period: (typeof REPORT_PERIODS)[number]
  readonly part: (typeof REPORT_PARTS)[number]
  readonly page: number
}

/**
 * What an agent has earned in some days, by product or by sub-user.
 *
 * @param before what was earned in as many days before, or in the month before
 * @param photo PNG, base64; undefined when nothing was earned
 */
export function reportScreen(
  view: View,
  report: EarningsReport,
  before: EarningsReport['total'],
  shown: Shown,
  photo: string | undefined,
): Screen {
  const { texts, currency, language } = view
  const { report: words, buttons } = texts.earnings
  const { startDate, endDate, total, products, users } = report
  const { period, part } = shown
  const show = (micros: number) => amount(micros, currency)
  const named: readonly (EarningsReport['total'] & { readonly name: string })[] =
    part === 'product'
      ? products.map((product) => ({ ...product, name: translationIn(product.names, language) }))
      : users.map((user) => ({ ...user, name: user.username }))
  const { items, page, pages } = pageOf(named, shown.page, LINES_PER_PAGE)
  const to = (changes: Partial<Shown>) => EARNINGS.report.data({ ...shown, page: 1, ...changes })
  return {
    ...(photo !== undefined && { photo }),
    text: lines(
      words.title,
      words.days(texts.day(startDate), texts.day(endDate)),
      '',
      words.total(show(total.earned - total.takenBack), total.sales),
      total.takenBack > 0 ? words.takenBack(show(total.takenBack)) : undefined,
      words.before[period](show(before.earned - before.takenBack)),
      '',
      ...(items.length === 0
        ? [words.none]
        : items.map(({ name, earned, takenBack, sales }) =>
            words.line(name, show(earned - takenBack), sales),
          )),
      ...(total.takenBack > 0 ? ['' as const, words.legend] : []),
    ),
    buttons: [
      REPORT_PERIODS.map((each) => choiceButton(words.periods[each], each === period, to({ period: each }))),
      REPORT_PARTS.map((each) => choiceButton(words.parts[each], each === part, to({ part: each }))),
      ...pager(texts, page, pages, (wanted) => to({ page: wanted })),
      [{ text: buttons.csv, data: EARNINGS.file.data({ period }) }],
      [backButton(texts, EARNINGS.home.data()), homeButton(texts)],
    ],
  }
}

/** What was earned each day and, below zero, what refunds took back. */
export function earningsSvg({ startDate, endDate, days, total }: EarningsReport, currency: string): string {
  const figures = new Map(days.map((day) => [day.day, day]))
  const dates = daysBetween(startDate, endDate)
  const series = (part: 'earned' | 'takenBack') => dates.map((day) => figures.get(day)?.[part] ?? 0)
  const takenBack = { color: COLOR.subUsers, amounts: series('takenBack').map((amount) => 0 - amount) }
  return dayChart(currency, dates, [
    { color: COLOR.own, amounts: series('earned') },
    ...(total.takenBack > 0 ? [takenBack] : []),
  ])
}

const DAY_MS = 24 * 60 * 60_000

/** Lists the days from the first to the last, both included, as `YYYY-MM-DD`. */
function daysBetween(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  return Array.from({ length: count }, (_, at) => dayOf(new Date(Date.parse(first) + at * DAY_MS)))
}
