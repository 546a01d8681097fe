import type { Dashboard, DayFigures, SubUserFigures } from '../../../core/records/dashboard.ts'
import { dayChart } from '../../kit/charts/day-chart.ts'
import { COLOR } from '../../kit/charts/palette.ts'

/** Draws what an agent spends per day, its sub-users stacked on top; undefined when nothing was spent (rules 18.3). */
export function agentSvg({ dailyStats, currency }: Dashboard, subUsers: SubUserFigures): string | undefined {
  return spendingPerDay(currency, [
    { color: COLOR.own, days: dailyStats },
    { color: COLOR.subUsers, days: subUsers.dailyStats },
  ])
}

/** Draws what one account spends per day; undefined when nothing was spent (rules 18.3). */
export function spendingSvg({ dailyStats, currency }: Dashboard): string | undefined {
  return spendingPerDay(currency, [{ color: COLOR.own, days: dailyStats }])
}

/** @param groups all cover the same days */
function spendingPerDay(
  currency: string,
  groups: readonly { readonly color: string; readonly days: readonly DayFigures[] }[],
): string | undefined {
  if (groups.every(({ days }) => days.every(({ amount }) => amount === 0))) return undefined
  const dates = groups[0]?.days.map(({ date }) => date) ?? []
  const series = groups.map(({ color, days }) => ({ color, amounts: days.map(({ amount }) => amount) }))
  return dayChart(currency, dates, series)
}
