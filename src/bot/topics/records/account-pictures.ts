import type { Dashboard, DayFigures, SubUserFigures } from '../../../core/records/dashboard.ts'
import { barChart, type Series } from '../../kit/charts/bar-chart.ts'
import { shortAmount } from '../../kit/charts/figures.ts'
import { COLOR } from '../../kit/charts/palette.ts'

/** As wide as a phone shows it with digits that can be read. */
const WIDTH = 800
const HEIGHT = 520
const MARGIN = 32
/** For currency and sums, above the chart. */
const HEADER = 40
/** Room for the longest sum. */
const SUM_WIDTH = 190

/** What an agent spends a day, with its sub-users on top. */
export function agentSvg({ dailyStats, currency }: Dashboard, subUsers: SubUserFigures): string {
  return spendingPerDay(currency, [
    { color: COLOR.own, days: dailyStats },
    { color: COLOR.subUsers, days: subUsers.dailyStats },
  ])
}

/** What one account spends a day. */
export function spendingSvg({ dailyStats, currency }: Dashboard): string {
  return spendingPerDay(currency, [{ color: COLOR.own, days: dailyStats }])
}

/**
 * SVG with digits and the currency's code only: it reads the same in every language, and the caption says what it shows. It holds
 * nothing that a person typed, so nothing has to be escaped.
 *
 * @param groups all over the same days
 */
function spendingPerDay(
  currency: string,
  groups: readonly { readonly color: string; readonly days: readonly DayFigures[] }[],
) {
  const dates = groups[0]?.days.map(({ date }) => date) ?? []
  const series = groups.map(({ color, days }): Series => ({
    color,
    amounts: days.map(({ amount }) => amount),
  }))
  // The last one ends at the margin.
  const sums = series.map(({ color, amounts }, index) => {
    const sum = shortAmount(amounts.reduce((total, amount) => total + amount, 0))
    const x = WIDTH - MARGIN - (series.length - 1 - index) * SUM_WIDTH
    return `<text x="${x}" y="44" text-anchor="end" font-size="26" font-weight="bold" fill="${color}">Σ ${sum}</text>`
  })
  const chart = {
    x: MARGIN,
    y: MARGIN / 2 + HEADER,
    width: WIDTH - 2 * MARGIN,
    height: HEIGHT - MARGIN - HEADER,
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOR.background}"/>`,
    `<text x="${MARGIN}" y="44" font-size="26" fill="${COLOR.muted}">${currency}</text>`,
    ...sums,
    barChart(dates, series, chart),
    '</svg>',
  ].join('\n')
}
