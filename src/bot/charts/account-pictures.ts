import type { Micros } from '../../core/money.ts'
import type { Dashboard, SubUserFigures } from '../../core/records/dashboard.ts'
import { shortAmount, shortCount } from './figures.ts'
import { overviewSvg, type Tile } from './overview-picture.ts'
import { COLOR } from './palette.ts'

/** What an agent's business looks like: its own account, and its sub-users together. */
export function agentSvg(dashboard: Dashboard, subUsers: SubUserFigures): string {
  const { statistics, currency } = dashboard
  const month = statistics.monthConsumption + subUsers.monthConsumption
  const lastMonth = statistics.lastMonthConsumption + subUsers.lastMonthConsumption
  return overviewSvg(
    [
      { label: 'Balance', value: shortAmount(dashboard.balance), hint: currency },
      monthTile(month, lastMonth),
      {
        label: 'Sub-users',
        value: shortCount(subUsers.total),
        hint: `balance ${shortAmount(subUsers.balance)} ${currency}`,
      },
      {
        label: 'Expiring within 7 days',
        value: shortCount(dashboard.expiringSoon + subUsers.expiringSoon),
        hint: `${shortCount(dashboard.expiringSoon)} of yours`,
      },
    ],
    [
      { name: 'You', color: COLOR.own, days: dashboard.dailyStats },
      { name: 'Sub-users', color: COLOR.subUsers, days: subUsers.dailyStats },
    ],
    currency,
  )
}

/** What one account has spent. */
export function spendingSvg({ statistics, dailyStats, currency }: Dashboard): string {
  const total = dailyStats.reduce((sum, { amount }) => sum + amount, 0)
  return overviewSvg(
    [
      { label: 'Last 30 days', value: shortAmount(total), hint: currency },
      monthTile(statistics.monthConsumption, statistics.lastMonthConsumption),
    ],
    [{ name: 'Spending', color: COLOR.own, days: dailyStats }],
    currency,
  )
}

function monthTile(month: Micros, lastMonth: Micros): Tile {
  return {
    label: 'Spent this month',
    value: shortAmount(month),
    hint: `last month ${shortAmount(lastMonth)}`,
  }
}
