import type { AccountDeps } from '../accounts/deps.ts'
import type { BotDeps } from '../bots/agent-bot.ts'
import type { BackupDeps } from '../backups/deps.ts'
import type { EarningDeps } from '../earnings/deps.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import type { OrderDeps } from '../orders/deps.ts'
import type { TopUpDeps } from '../top-ups/deps.ts'
import type { WebhookDeps } from '../webhooks/deps.ts'
import type { Setup } from './choices.ts'
import type { Machine } from './readiness.ts'

/** Dependencies of the operator's use cases: those of all parts. */
export interface OperatorDeps
  extends AccountDeps, BackupDeps, BotDeps, EarningDeps, GatewayDeps, OrderDeps, TopUpDeps, WebhookDeps {
  /** What the process knows of itself; undefined at the command line. */
  readonly machine: Machine | undefined
  /** The settings that owners may choose; undefined where nothing can be chosen. */
  readonly setup: Setup | undefined
}
