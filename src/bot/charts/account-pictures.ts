import type { Dashboard, DayFigures, SubUserFigures } from '../../core/records/dashboard.ts'
import { barChart, type Series } from './bar-chart.ts'
import { COLOR } from './palette.ts'

/** As wide as a phone shows it with digits that can be read. */
const WIDTH = 800
const HEIGHT = 480
const MARGIN = 32

/** What an agent spends a day, with its sub-users on top. */
export function agentSvg({ dailyStats }: Dashboard, subUsers: SubUserFigures): string {
  return spendingPerDay([
    { color: COLOR.own, days: dailyStats },
    { color: COLOR.subUsers, days: subUsers.dailyStats },
  ])
}

/** What one account spends a day. */
export function spendingSvg({ dailyStats }: Dashboard): string {
  return spendingPerDay([{ color: COLOR.own, days: dailyStats }])
}

/**
 * SVG with digits only: it reads the same in every language, and the caption says what it shows. It holds nothing that a person
 * typed, so nothing has to be escaped.
 *
 * @param groups all over the same days
 */
function spendingPerDay(groups: readonly { readonly color: string; readonly days: readonly DayFigures[] }[]) {
  const dates = groups[0]?.days.map(({ date }) => date) ?? []
  const series = groups.map(({ color, days }): Series => ({
    color,
    amounts: days.map(({ amount }) => amount),
  }))
  const chart = { x: MARGIN, y: MARGIN / 2, width: WIDTH - 2 * MARGIN, height: HEIGHT - MARGIN }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOR.background}"/>`,
    barChart(dates, series, chart),
    '</svg>',
  ].join('\n')
}
