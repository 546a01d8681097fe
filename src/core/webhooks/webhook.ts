import { z } from 'zod'
import type { WebhookStatus } from '../../generated/kysely/tables.ts'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { type Held, Time } from '../record.ts'
import { ALL_EVENTS, EVENT_CHOICES, type EventChoice } from './events.ts'

/** States of a webhook as its account sees them: on, off by the account, off because it failed for a week, or answered 410. */
export const WEBHOOK_STATUSES = ['active', 'off', 'failing', 'gone'] as const
export type ShownWebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** What is shown of an address to which the events of an account are sent (rules 19.1). */
export const WEBHOOK = {
  id: z.int(),
  url: z.string().meta({ description: 'Where deliveries go' }),
  description: z.string().meta({ description: 'What it is for; may be empty' }),
  events: z.array(z.enum(EVENT_CHOICES)).meta({ description: 'What it hears: types of events, and groups' }),
  status: z.enum(WEBHOOK_STATUSES).meta({
    description:
      '`active`; `off`: by the account; `failing`: nothing could be delivered for a week; `gone`: it has answered 410',
  }),
  failingSince: Time.nullable().meta({
    description: 'Since when no delivery has succeeded; null: the last one has',
  }),
  deliveredAt: Time.nullable().meta({
    description: 'When a delivery succeeded last, to the minute; null: never',
  }),
  oldSecretUntil: Time.nullable().meta({
    description: 'Until when deliveries are signed by the secret before, too; null: there was none',
  }),
  createdAt: Time,
  updatedAt: Time,
}

export type Webhook = Held<typeof WEBHOOK>

export const WEBHOOK_EXAMPLE: Webhook = {
  id: 1,
  url: 'https://example.com/hooks/proxies',
  description: 'order robot',
  events: ALL_EVENTS,
  status: 'active',
  failingSince: null,
  deliveredAt: null,
  oldSecretUntil: null,
  createdAt: '2026-11-20T17:57:00.123Z',
  updatedAt: '2026-11-20T17:57:00.123Z',
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
