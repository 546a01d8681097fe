import { Command } from 'commander'
import { toNumber, toText } from '../../core/money.ts'
import type { ConnectionOverview } from '../../core/supply/list-connections.ts'
import type { Run } from '../run.ts'
import { table } from '../table.ts'

/** `supplier list`: all accounts at suppliers with their state. */
export function listSuppliersCommand(run: Run): Command {
  return new Command('list').description('list the accounts at suppliers and how they stand').action(
    run(async (session) => {
      const connections = await (await session.core()).operator.suppliers.list()
      const failing = connections.filter(({ lastError }) => lastError !== null)
      return {
        data: { currency: session.currency, items: connections.map(recordOfConnection) },
        text:
          connections.length === 0
            ? 'There is no supplier: `supplier add` adds one'
            : table([HEADING, ...connections.map(rowOfConnection)]),
        warnings: failing.map(({ name, lastError }) => `${name}: ${lastError}`),
      }
    }),
  )
}

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

function recordOfConnection(connection: ConnectionOverview): object {
  const { balance, rate, alarmBalance } = connection
  return {
    name: connection.name,
    driver: connection.driver,
    url: connection.url,
    status: connection.status,
    rate: toNumber(rate),
    refund_hours: connection.refundHours,
    concurrency: connection.concurrency,
    balance: balance === null ? null : toNumber(balance),
    balance_at: connection.balanceAt,
    days_left: connection.daysLeft,
    balance_expires_on: connection.balanceExpiresOn,
    alarm_balance: toNumber(alarmBalance),
    alarm_days: connection.alarmDays,
    alarmed: connection.alarmed,
    offers: connection.offers,
    synced_at: connection.syncedAt,
    products: connection.products,
    open_calls: connection.openCalls,
    doubtful_calls: connection.doubtfulCalls,
    faults: connection.faults,
    paused_until: connection.pausedUntil,
    last_error: connection.lastError,
    reconciled_at: connection.reconciledAt,
  }
}
