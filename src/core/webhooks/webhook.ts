import type { WebhookStatus } from '../../generated/kysely/tables.ts'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import type { EventChoice } from './events.ts'

/** States of a webhook as its account sees them: on, off by the account, off because it failed for a week, or answered 410. */
export const WEBHOOK_STATUSES = ['active', 'off', 'failing', 'gone'] as const
export type ShownWebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** Where an account is told what happens (rules 19.1). */
export interface Webhook {
  readonly id: number
  readonly url: string
  readonly description: string
  readonly events: readonly EventChoice[]
  readonly status: ShownWebhookStatus
  /** Since when no delivery succeeded; null where the last one did. */
  readonly failingSince: string | null
  /** When one succeeded last, to the minute. */
  readonly deliveredAt: string | null
  /** Until when the secret before holds, too; null where it does not. */
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
