import type { WebhookStatus } from '../../generated/kysely/tables.ts'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import type { EventChoice } from './events.ts'

/** States of a webhook as its account sees them: on, off by the account, off because it failed for a week, or answered 410. */
export const WEBHOOK_STATUSES = ['active', 'off', 'failing', 'gone'] as const
export type ShownWebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** An address to which the events of an account are delivered (rules 19.1). */
export interface Webhook {
  readonly id: number
  readonly url: string
  readonly description: string
  readonly events: readonly EventChoice[]
  readonly status: ShownWebhookStatus
  /** Time since which no delivery has succeeded; null where the last one did. */
  readonly failingSince: string | null
  /** Time of the last delivery that succeeded, to the minute. */
  readonly deliveredAt: string | null
  /** Time until which the former secret holds, too; null when the secret was never changed. */
  readonly oldSecretUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Selects {@link Webhook}s that were not deleted: `webhooks` as `w`. */
export function selectWebhooks({ $kysely }: Readable) {
  return $kysely
    .selectFrom('webhooks as w')
    .select(['w.id', 'w.url', 'w.description', 'w.status', 'w.failingSince', 'w.deliveredAt'])
    .select(['w.oldSecretUntil', 'w.createdAt', 'w.updatedAt'])
    .select(({ ref }) => parsed<EventChoice[]>(ref('w.events')).as('events'))
    .where('w.status', '<>', 'deleted')
    .$narrowType<{ status: Exclude<WebhookStatus, 'deleted'> }>()
}

/** Returns the name under which a secret is sealed. */
export function secretOwner(accountId: number): string {
  return `webhooks of ${accountId}`
}
