import type { AccountDeps } from '../accounts/deps.ts'
import type { BackupDeps } from '../backups/deps.ts'
import type { EarningDeps } from '../earnings/deps.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import type { OrderDeps } from '../orders/deps.ts'
import type { TopUpDeps } from '../top-ups/deps.ts'
import type { WebhookDeps } from '../webhooks/deps.ts'
import type { Setup } from './choices.ts'
import type { Machine } from './readiness.ts'

/** Dependencies of what those do who run the shop: of all parts. */
export interface OperatorDeps
  extends AccountDeps, BackupDeps, EarningDeps, GatewayDeps, OrderDeps, TopUpDeps, WebhookDeps {
  /** What the process knows of itself; undefined at the command line. */
  readonly machine: Machine | undefined
  /** What owners may choose of the settings; undefined where nothing. */
  readonly setup: Setup | undefined
}
