import { z } from 'zod'
import { toText } from '../core/money.ts'
import { type ConnectionOverview, ConnectionRecord } from '../core/supply/list-connections.ts'
import { action } from './action.ts'
import { table } from './table.ts'

/** All accounts at suppliers with their state. */
export const listSuppliersAction = action({
  name: 'supplier list',
  summary: 'list the accounts at suppliers and how they stand',
  answer: z.object({ currency: z.string(), items: ConnectionRecord.array().schema }),
  reads: true,
  async run({ core, currency }) {
    const connections = await core.operator.suppliers.list()
    const failing = connections.filter(({ lastError }) => lastError !== null)
    return {
      data: { currency, items: connections.map(ConnectionRecord.show) },
      text:
        connections.length === 0
          ? 'There is no supplier: `supplier add` adds one'
          : table([HEADING, ...connections.map(rowOfConnection)]),
      warnings: failing.map(({ name, lastError }) => `${name}: ${lastError}`),
    }
  },
})

const HEADING = [
  'NAME',
  'DRIVER',
  'STATE',
  'BALANCE',
  'DAYS LEFT',
  'OFFERS',
  'READ AT',
  'PRODUCTS',
  'OPEN CALLS',
  'IN DOUBT',
  'FAULTS',
  'BALANCE UNTIL',
]

function rowOfConnection(connection: ConnectionOverview): string[] {
  const { name, driver, status, pausedUntil, faults, balance, daysLeft, offers, syncedAt } = connection
  return [
    name,
    driver,
    status === 'active' && pausedUntil !== null && faults > 0 ? `failing until ${pausedUntil}` : status,
    balance === null ? '-' : toText(balance),
    daysLeft === null ? '-' : String(daysLeft),
    String(offers),
    syncedAt ?? '-',
    String(connection.products),
    String(connection.openCalls),
    String(connection.doubtfulCalls),
    String(faults),
    connection.balanceExpiresOn ?? '-',
  ]
}
