import { z } from 'zod'
import type { DeliveryStatus } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { listOf, parsed } from '../database/dialect.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { once } from '../requests/once.ts'
import { type Page, paging } from '../page.ts'
import { type DeliveredEvent, EVENT_TYPES, TEST_EVENT } from './events.ts'
import { getWebhook } from './manage-webhooks.ts'
import { addDeliveries, newMessageId } from './record-events.ts'
import type { StoredFault } from './webhook-sender.ts'
import { addsWork } from '../jobs/added-work.ts'
import type { WebhookDeps } from './deps.ts'

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const satisfies DeliveryStatus[]
export const DELIVERED_TYPES = [...EVENT_TYPES, TEST_EVENT] as const
/** Maximum number of deliveries that one transaction sends again, so that other writers do not wait long. */
const BATCH = 500

/** An event for a webhook, and what became of it (rules 19.8). */
export interface Delivery {
  readonly messageId: string
  readonly event: DeliveredEvent
  readonly status: DeliveryStatus
  readonly attempts: number
  /** When the next attempt is due; null where it is over, or waits for an earlier event of its subject. */
  readonly nextAt: string | null
  /** Of the last attempt: the status that was answered, or why there was none. */
  readonly responseStatus: number | null
  readonly error: StoredFault | null
  readonly durationMs: number | null
  readonly attemptedAt: string | null
  readonly createdAt: string
}

function selectDeliveries({ $kysely }: Readable) {
  return $kysely
    .selectFrom('webhookDeliveries as d')
    .select(['d.id', 'd.messageId', 'd.type', 'd.status', 'd.attempts', 'd.nextAt', 'd.responseStatus'])
    .select(['d.error', 'd.durationMs', 'd.attemptedAt', 'd.createdAt'])
    .select(({ ref }) => parsed<DeliveredEvent['facts']>(ref('d.facts')).as('facts'))
    .$narrowType<{ error: StoredFault | null }>()
}

type Row = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number]

/** Makes the event of a row. The facts were written for this type; from the database they come without it. */
export function eventOf({ type, facts }: Pick<Row, 'type' | 'facts'>): DeliveredEvent {
  return { type, facts } as DeliveredEvent
}

function toDelivery({ id: _id, type, facts, ...delivery }: Row): Delivery {
  return { ...delivery, event: eventOf({ type, facts }) }
}

export const DeliveryFilter = z.object({
  ...paging,
  status: z.enum(DELIVERY_STATUSES).optional(),
  type: z.enum(DELIVERED_TYPES).optional(),
})

/**
 * Lists the deliveries of a webhook, newest first.
 *
 * @throws webhook_not_found, validation_error
 */
export async function listDeliveries(
  deps: WebhookDeps,
  actor: Actor,
  webhookId: number | undefined,
  input: z.input<typeof DeliveryFilter> = {},
): Promise<Page<Delivery>> {
  const { page, pageSize, status, type } = parseInput(DeliveryFilter, input)
  const { id } = await getWebhook(deps, actor, webhookId)
  const { db } = deps
  let counted = db.read.$kysely
    .selectFrom('webhookDeliveries as d')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('d.webhookId', '=', id)
  let query = selectDeliveries(db.read).where('d.webhookId', '=', id)
  if (status) {
    counted = counted.where('d.status', '=', status)
    query = query.where('d.status', '=', status)
  }
  if (type) {
    counted = counted.where('d.type', '=', type)
    query = query.where('d.type', '=', type)
  }
  const { total } = await counted.executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('d.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items: rows.map(toDelivery), total, page, pageSize }
}

/**
 * Enqueues a test event for a webhook that is on.
 *
 * @throws webhook_not_found, idempotency_conflict, invalid_state (it is off)
 */
export async function testWebhook(
  deps: WebhookDeps,
  actor: Actor,
  webhookId: number | undefined,
  requestKey?: string,
): Promise<Delivery & { readonly replayed: boolean }> {
  const { id, status } = await getWebhook(deps, actor, webhookId)
  const request = { key: requestKey, kind: 'test_webhook', input: { id } }
  return once(deps, actor, request, async (tx) => {
    if (status !== 'active') throw new ServiceError('invalid_state', { data: { status } })
    const messageId = newMessageId()
    const facts = JSON.stringify({ webhookId: id })
    // A subject of its own, so that it waits for no other delivery.
    const row = { webhookId: id, messageId, type: TEST_EVENT, subject: messageId, facts }
    await addDeliveries(tx, { rows: [row], now: deps.clock.now() })
    return find(tx, id, messageId)
  })
}

/**
 * Enqueues a delivery again, with the same id, whether it has arrived or was given up.
 *
 * @throws webhook_not_found, delivery_not_found, idempotency_conflict, invalid_state (it still waits)
 */
export async function replayDelivery(
  deps: WebhookDeps,
  actor: Actor,
  webhookId: number | undefined,
  messageId: string,
  requestKey?: string,
): Promise<Delivery & { readonly replayed: boolean }> {
  const { id } = await getWebhook(deps, actor, webhookId)
  const request = { key: requestKey, kind: 'replay_delivery', input: { id, messageId } }
  return once(deps, actor, request, async (tx) => {
    const [again] = await sendAgain(tx, { webhookId: id, messageIds: [messageId] })
    const found = await find(tx, id, messageId)
    if (!again) throw new ServiceError('invalid_state', { data: { status: found.status } })
    await putInOrder(tx, { webhookId: id, subjects: [again.subject], now: deps.clock.now() })
    return find(tx, id, messageId)
  })
}

export const FailedSince = z.object({ since: z.iso.datetime({ offset: true, error: 'not_a_time' }) })

/**
 * Enqueues again, in their order, all deliveries that were given up, of events at a time or after it.
 *
 * @returns how many
 * @throws webhook_not_found, validation_error
 */
export async function replayFailed(
  deps: WebhookDeps,
  actor: Actor,
  webhookId: number | undefined,
  input: z.input<typeof FailedSince>,
): Promise<number> {
  const since = new Date(parseInput(FailedSince, input).since).toISOString()
  const { id } = await getWebhook(deps, actor, webhookId)
  let after = 0
  for (let total = 0; ;) {
    const some = await deps.db.write(async (tx) => {
      const failed = await failedOf(tx, { webhookId: id, since, after })
      const messageIds = failed.map(({ messageId }) => messageId)
      const again = await sendAgain(tx, { webhookId: id, messageIds })
      const subjects = [...new Set(again.map(({ subject }) => subject))]
      await putInOrder(tx, { webhookId: id, subjects, now: deps.clock.now() })
      return failed
    })
    total += some.length
    after = some.at(-1)?.id ?? after
    if (some.length < BATCH) return total
  }
}

const failedOf = compiled<{ webhookId: number; since: string; after: number }>()(
  (db, { webhookId, since, after }) =>
    db
      .selectFrom('webhookDeliveries')
      .select(['id', 'messageId'])
      .where('webhookId', '=', webhookId)
      .where('status', '=', 'failed')
      .where('createdAt', '>=', since)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH),
)

const sendAgain = compiled<{ webhookId: number; messageIds: readonly string[] }>()(
  (db, { webhookId, messageIds }) =>
    db
      .updateTable('webhookDeliveries')
      .set({ status: 'waiting', attempts: 0, nextAt: null })
      .where('webhookId', '=', webhookId)
      .where('messageId', 'in', listOf(messageIds))
      .where('status', '<>', 'waiting')
      .returning('subject'),
)

interface Subjects {
  readonly webhookId: number
  readonly subjects: readonly string[]
  readonly now: Date
}

/** Makes the oldest waiting delivery of each subject due now, and no other. */
async function putInOrder(tx: Tx, subjects: Subjects): Promise<void> {
  await holdAll(tx, subjects)
  await releaseOldest(tx, subjects)
  addsWork(tx, 'webhook_deliveries')
}

const holdAll = compiled<Subjects>()((db, { webhookId, subjects }) =>
  db
    .updateTable('webhookDeliveries')
    .set({ nextAt: null })
    .where('webhookId', '=', webhookId)
    .where('subject', 'in', listOf(subjects))
    .where('status', '=', 'waiting'),
)

const releaseOldest = compiled<Subjects>()((db, { webhookId, subjects, now }) =>
  db
    .updateTable('webhookDeliveries')
    .set({ nextAt: now })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhookDeliveries as d')
        .select(({ fn }) => fn.min<number>('d.id').as('id'))
        .where('d.webhookId', '=', webhookId)
        .where('d.subject', 'in', listOf(subjects))
        .where('d.status', '=', 'waiting')
        .groupBy('d.subject'),
    ),
)

/** @throws delivery_not_found */
async function find(db: Readable, webhookId: number, messageId: string): Promise<Delivery> {
  const row = await selectDeliveries(db)
    .where('d.webhookId', '=', webhookId)
    .where('d.messageId', '=', messageId)
    .executeTakeFirst()
  if (!row) throw new ServiceError('delivery_not_found')
  return toDelivery(row)
}
