import { z } from 'zod'
import type { Delivery } from '../../core/webhooks/deliveries.ts'
import { DELIVERED_TYPES, DELIVERY_STATUSES, FailedSince } from '../../core/webhooks/deliveries.ts'
import { NewWebhook, WebhookChange } from '../../core/webhooks/manage-webhooks.ts'
import { WEBHOOK, WEBHOOK_EXAMPLE } from '../../core/webhooks/webhook.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { recordId } from '../../core/identifiers.ts'
import { record, Time } from '../../core/record.ts'
import { paging } from '../wire/query.ts'
import { toWebhookEvent, WEBHOOK_EVENTS, WebhookEventRecord } from '../wire/webhook-event.ts'

const TAG = 'Webhooks'
const PARAMS = { webhook_id: { description: 'Id of the webhook', example: 1 } }
const MESSAGE_ID = 'msg_7Q2W3E4R5T6Y7A8S9D0F1G2H3J'

const WebhookRecord = record(WEBHOOK, { id: 'Webhook' })
const secret = z.string().meta({
  description: 'With which deliveries are signed: `whsec_…`; shown only once',
})
const NewWebhookRecord = record({ ...WEBHOOK, secret }, { id: 'NewWebhook' })

const DeliveryRecord = record(
  {
    messageId: z.string().meta({ description: 'The header `webhook-id`: the same in all attempts' }),
    body: WebhookEventRecord.meta({ description: 'The body' }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        '`waiting` for its next attempt, or for an earlier event; `failed`: given up after 14 attempts',
    }),
    attempts: z.int().meta({ description: 'How often it was sent' }),
    nextAt: Time.nullable().meta({
      description:
        'When it is sent next; null: not again, or it waits for an earlier event of the same subject',
    }),
    responseStatus: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status that was answered last; null: none' }),
    error: z.string().nullable().meta({
      description:
        'Why there was none: `timeout`, `name_not_found`, `address_not_allowed`, …; null: there was one',
    }),
    durationMs: z
      .int()
      .nullable()
      .meta({ description: 'How long the last attempt took; null: there was none' }),
    attemptedAt: Time.nullable().meta({ description: 'When it was sent last; null: not yet' }),
    createdAt: Time.meta({ description: 'When the event happened' }),
  },
  { id: 'WebhookDelivery', names: { body: 'event' } },
)

function deliveryAsShown(delivery: Delivery) {
  return DeliveryRecord.show({ ...delivery, body: toWebhookEvent(delivery.event, delivery.createdAt) })
}

const example = WebhookRecord.show(WEBHOOK_EXAMPLE)

const deliveryExample = DeliveryRecord.show({
  messageId: MESSAGE_ID,
  body: WEBHOOK_EVENTS.test.example,
  status: 'waiting',
  attempts: 0,
  nextAt: '2026-11-20T18:03:00.000Z',
  responseStatus: null,
  error: null,
  durationMs: null,
  attemptedAt: null,
  createdAt: '2026-11-20T18:03:00.000Z',
})

const URL_TEXT =
  'https, on port 443 or from 1024 on, and a host of the public internet: each connection goes only to an address that was checked'
const EVENTS_TEXT = 'Types of events, and groups such as `order.*`'

/** POST /open/app/user/webhooks (rules 19.1). */
export const createWebhook = endpoint({
  name: 'createWebhook',
  method: 'POST',
  path: '/open/app/user/webhooks',
  tag: TAG,
  scope: null,
  summary: 'Make a webhook',
  description:
    'Events of the account, and of the sub-users of an agent, are sent there as [Standard Webhooks](https://www.standardwebhooks.com): ' +
    'see _Webhooks_ of this document. The secret is in this answer only. An account has at most 10.',
  body: NewWebhook.extend({
    url: NewWebhook.shape.url.meta({ description: URL_TEXT }),
    events: NewWebhook.shape.events.meta({ description: `${EVENTS_TEXT}; missing or null: all` }),
    description: NewWebhook.shape.description.meta({ description: 'What it is for' }),
  }).meta({ id: 'CreateWebhook' }),
  answer: NewWebhookRecord.schema,
  idempotent: true,
  errors: ['idempotency_conflict'],
  example: {
    body: { url: 'https://example.com/hooks/proxies', description: 'order robot' },
    data: { ...example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const made = replayed(await core.webhooks.create(actor, { ...body, requestKey: idempotencyKey }))
    return NewWebhookRecord.show(made)
  },
})

/** GET /open/app/user/webhooks (rules 19.1). */
export const listWebhooks = endpoint({
  name: 'listWebhooks',
  method: 'GET',
  path: '/open/app/user/webhooks',
  tag: TAG,
  scope: 'read',
  summary: 'Webhooks',
  description: 'Newest first.',
  query: z.object(paging),
  answer: listSchema(WebhookRecord.schema),
  example: { data: new List([example], { total: 1, page: 1, pageSize: 20 }) },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size } = query
    const webhooks = await core.webhooks.list(actor, { page, pageSize })
    return new List(webhooks.items.map(WebhookRecord.show), webhooks)
  },
})

/** GET /open/app/user/webhooks/{webhook_id} (rules 19.1). */
export const getWebhook = endpoint({
  name: 'getWebhook',
  method: 'GET',
  path: '/open/app/user/webhooks/:webhook_id',
  params: PARAMS,
  tag: TAG,
  scope: 'read',
  summary: 'A webhook',
  answer: WebhookRecord.schema,
  errors: ['webhook_not_found'],
  example: { data: example },
  handle: async ({ core, params }, actor) =>
    WebhookRecord.show(await core.webhooks.get(actor, recordId(params.webhook_id))),
})

/** PATCH /open/app/user/webhooks/{webhook_id} (rules 19.1). */
export const changeWebhook = endpoint({
  name: 'changeWebhook',
  method: 'PATCH',
  path: '/open/app/user/webhooks/:webhook_id',
  params: PARAMS,
  tag: TAG,
  scope: null,
  summary: 'Change a webhook',
  description:
    'What is missing stays. While it is off, nothing is kept for it; what waited before is sent when it is switched on.',
  body: WebhookChange.extend({
    url: WebhookChange.shape.url.meta({ description: URL_TEXT }),
    events: WebhookChange.shape.events.meta({ description: EVENTS_TEXT }),
    description: WebhookChange.shape.description.meta({ description: 'What it is for' }),
    enabled: WebhookChange.shape.enabled.meta({
      description: 'Whether it is on; true also ends `failing` and `gone`',
    }),
  }).meta({ id: 'ChangeWebhook' }),
  answer: WebhookRecord.schema,
  errors: ['webhook_not_found'],
  example: {
    body: { events: ['order.*', 'balance.low'] },
    data: { ...example, events: ['order.*', 'balance.low'] },
  },
  handle: async ({ core, params, body }, actor) =>
    WebhookRecord.show(await core.webhooks.change(actor, recordId(params.webhook_id), body)),
})

/** DELETE /open/app/user/webhooks/{webhook_id} (rules 19.1). */
export const deleteWebhook = endpoint({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/open/app/user/webhooks/:webhook_id',
  params: PARAMS,
  tag: TAG,
  scope: null,
  summary: 'Delete a webhook',
  description: 'At once, with all that waits for it and its log.',
  answer: WebhookRecord.schema,
  errors: ['webhook_not_found'],
  example: { data: example },
  handle: async ({ core, params }, actor) =>
    WebhookRecord.show(await core.webhooks.delete(actor, recordId(params.webhook_id))),
})

/** POST /open/app/user/webhooks/{webhook_id}/secret (rules 19.5). */
export const rotateWebhookSecret = endpoint({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/open/app/user/webhooks/:webhook_id/secret',
  params: PARAMS,
  tag: TAG,
  scope: null,
  summary: 'Change the secret',
  description:
    'The new one is in this answer only. For 24 hours deliveries have two signatures, by the new secret and the one before.',
  answer: NewWebhookRecord.schema,
  idempotent: true,
  errors: ['webhook_not_found', 'idempotency_conflict'],
  example: {
    data: {
      ...example,
      old_secret_until: '2026-11-21T17:57:00.123Z',
      secret: 'whsec_Q9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTw=',
    },
  },
  async handle({ core, params, idempotencyKey, replayed }, actor) {
    const id = recordId(params.webhook_id)
    const made = replayed(await core.webhooks.rotateSecret(actor, id, idempotencyKey))
    return NewWebhookRecord.show(made)
  },
})

/** POST /open/app/user/webhooks/{webhook_id}/test (rules 19.8). */
export const testWebhook = endpoint({
  name: 'testWebhook',
  method: 'POST',
  path: '/open/app/user/webhooks/:webhook_id/test',
  params: PARAMS,
  tag: TAG,
  scope: null,
  summary: 'Send a test event',
  description:
    'An event `webhook.test`, sent at once; what came of it is in the log. The webhook must be on.',
  answer: DeliveryRecord.schema,
  idempotent: true,
  errors: ['webhook_not_found', 'idempotency_conflict', 'invalid_state'],
  example: { data: deliveryExample },
  handle: async ({ core, params, idempotencyKey, replayed }, actor) =>
    deliveryAsShown(replayed(await core.webhooks.test(actor, recordId(params.webhook_id), idempotencyKey))),
})

/** GET /open/app/user/webhooks/{webhook_id}/deliveries (rules 19.8). */
export const listWebhookDeliveries = endpoint({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/open/app/user/webhooks/:webhook_id/deliveries',
  params: PARAMS,
  tag: TAG,
  scope: 'read',
  summary: 'Deliveries of a webhook',
  description: 'Newest first, of the last 30 days.',
  query: z.object({
    status: z.enum(DELIVERY_STATUSES).optional().meta({ description: 'Only those with this status' }),
    type: z.enum(DELIVERED_TYPES).optional().meta({ description: 'Only events of this type' }),
    ...paging,
  }),
  answer: listSchema(DeliveryRecord.schema),
  errors: ['webhook_not_found'],
  example: { data: new List([deliveryExample], { total: 1, page: 1, pageSize: 20 }) },
  async handle({ core, params, query }, actor) {
    const { page, pageSize = query.page_size, status, type } = query
    const filter = { page, pageSize, status, type }
    const deliveries = await core.webhooks.deliveries(actor, recordId(params.webhook_id), filter)
    return new List(deliveries.items.map(deliveryAsShown), deliveries)
  },
})

/** POST /open/app/user/webhooks/{webhook_id}/deliveries/replay (rules 19.8). */
export const replayFailedDeliveries = endpoint({
  name: 'replayFailedDeliveries',
  method: 'POST',
  path: '/open/app/user/webhooks/:webhook_id/deliveries/replay',
  params: PARAMS,
  tag: TAG,
  scope: null,
  summary: 'Send all failed deliveries again',
  description:
    'Those with the status `failed` whose events happened at `since` or after it, in their order. May be repeated, so it takes no ' +
    '`Idempotency-Key`: what waits already is not `failed` any more, and is not sent twice.',
  body: FailedSince.extend({
    since: FailedSince.shape.since.meta({ description: 'ISO 8601' }),
  }).meta({ id: 'ReplayFailedDeliveries' }),
  answer: z.strictObject({ count: z.int().meta({ description: 'How many are sent again' }) }),
  errors: ['webhook_not_found'],
  example: { body: { since: '2026-11-20T00:00:00Z' }, data: { count: 0 } },
  handle: async ({ core, params, body }, actor) => ({
    count: await core.webhooks.replayFailed(actor, recordId(params.webhook_id), body),
  }),
})

/** POST /open/app/user/webhooks/{webhook_id}/deliveries/{message_id}/replay (rules 19.8). */
export const replayDelivery = endpoint({
  name: 'replayDelivery',
  method: 'POST',
  path: '/open/app/user/webhooks/:webhook_id/deliveries/:message_id/replay',
  params: {
    ...PARAMS,
    message_id: { description: 'Id of the delivery, `msg_…`', example: MESSAGE_ID },
  },
  tag: TAG,
  scope: null,
  summary: 'Send a delivery again',
  description: 'With the same id, whether it was delivered or given up; not while it waits anyway.',
  answer: DeliveryRecord.schema,
  idempotent: true,
  errors: ['webhook_not_found', 'delivery_not_found', 'idempotency_conflict', 'invalid_state'],
  example: { data: deliveryExample },
  async handle({ core, params, idempotencyKey, replayed }, actor) {
    const id = recordId(params.webhook_id)
    return deliveryAsShown(replayed(await core.webhooks.replay(actor, id, params.message_id, idempotencyKey)))
  },
})
