import type { CoreDeps } from '../deps.ts'
import { tellRestingStock } from '../catalog/resting-stock.ts'
import { every } from '../jobs/every.ts'
import { tellDayFigures } from '../operator/day-figures.ts'
import { tellLowStock } from '../operator/low-stock.ts'
import { warnOfExpiry } from '../orders/warn-of-expiry.ts'
import { warnOfLowBalance } from '../orders/warn-of-low-balance.ts'

const MINUTE_MS = 60_000

/** Of the loop: what has to be told because time goes by, and not because somebody did something. */
export function noticeSweeps(deps: CoreDeps): readonly (() => Promise<void>)[] {
  const sweep = (minutes: number, look: (deps: CoreDeps) => Promise<void>) =>
    every(minutes * MINUTE_MS, deps.clock, () => look(deps))
  return [
    sweep(1, warnOfExpiry),
    sweep(15, warnOfLowBalance),
    sweep(1, tellDayFigures),
    sweep(1, tellLowStock),
    sweep(1, tellRestingStock),
  ]
}
