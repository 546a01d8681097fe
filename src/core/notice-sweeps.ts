import type { OperatorDeps } from './operator/deps.ts'
import { tellRestingStock } from './operator/resting-stock.ts'
import { tellGatewayTrouble } from './operator/gateway-trouble.ts'
import { every } from './jobs/every.ts'
import { tellFailingJobs } from './operator/tell-failing.ts'
import { tellDayFigures } from './operator/day-figures.ts'
import { tellGoneChats } from './operator/gone-chats.ts'
import { tellLowStock } from './operator/low-stock.ts'
import { warnOfExpiry } from './orders/warn-of-expiry.ts'
import { warnOfLowBalance } from './orders/warn-of-low-balance.ts'
import { tellExpiringSupplierBalance } from './operator/supplier-balance-expiry.ts'
import { tellLowSupplierBalance } from './operator/low-supplier-balance.ts'
import { tellSales } from './notices/sales.ts'
import { lateDeliveryAlarm } from './operator/late-deliveries.ts'

const MINUTE_MS = 60_000

/** Makes the sweeps of the job loop that announce what depends on time or state instead of an action. */
export function noticeSweeps(deps: OperatorDeps): readonly (() => Promise<void>)[] {
  const sweep = (minutes: number, look: (deps: OperatorDeps) => Promise<void>) =>
    every(minutes * MINUTE_MS, deps.clock, () => look(deps))
  return [
    sweep(1, warnOfExpiry),
    sweep(15, warnOfLowBalance),
    sweep(1, tellDayFigures),
    sweep(1, tellSales),
    sweep(1, tellLowStock),
    sweep(1, tellRestingStock),
    sweep(1, tellLowSupplierBalance),
    sweep(1, tellExpiringSupplierBalance),
    sweep(1, tellGatewayTrouble),
    sweep(1, tellFailingJobs),
    sweep(1, tellGoneChats),
    lateDeliveryAlarm(deps),
  ]
}
