import { compiled } from '../database/compiled.ts'
import { listOf, parsed } from '../database/dialect.ts'
import { eventOf } from './deliveries.ts'
import type { DeliveredEvent } from './events.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** A webhook for which deliveries are due; its secrets are sealed. */
export interface WebhookLane {
  readonly id: number
  readonly accountId: number
  readonly url: string
  readonly secret: string
  readonly oldSecret: string | null
  readonly oldSecretUntil: string | null
}

export interface DueDelivery {
  readonly id: number
  readonly webhookId: number
  readonly messageId: string
  readonly subject: string
  readonly event: DeliveredEvent
  /** Attempts that failed. */
  readonly attempts: number
  /** Time of the event. */
  readonly createdAt: string
}

/** Lists the webhooks that are on and have deliveries due. */
export async function webhookLanes({ db, clock }: Essentials): Promise<WebhookLane[]> {
  return findLanes(db.read, { now: clock.now().toISOString() })
}

const findLanes = compiled<{ now: string }>()((db, { now }) =>
  db
    .selectFrom('webhooks as w')
    .innerJoin('accounts as a', 'a.id', 'w.accountId')
    .select(['w.id', 'w.accountId', 'w.url', 'w.secret', 'w.oldSecret', 'w.oldSecretUntil'])
    .where('w.status', '=', 'active')
    .where('a.status', '=', 'active')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhookDeliveries as d')
          .select('d.id')
          .whereRef('d.webhookId', '=', 'w.id')
          .where('d.status', '=', 'waiting')
          .where('d.nextAt', '<=', now),
      ),
    )
    .orderBy('w.id'),
)

/** Lists the due deliveries of a webhook, the longest due first, without those under way (`inHand`). */
export async function dueDeliveries(
  { db, clock }: Essentials,
  {
    webhookId,
    limit,
    inHand,
  }: {
    readonly webhookId: number
    readonly limit: number
    readonly inHand: readonly number[]
  },
): Promise<DueDelivery[]> {
  const rows = await findDue(db.read, { webhookId, limit, inHand, now: clock.now().toISOString() })
  return rows.map(({ type, facts, ...row }) => ({ ...row, webhookId, event: eventOf({ type, facts }) }))
}

const findDue = compiled<{ webhookId: number; now: string; limit: number; inHand: readonly number[] }>()(
  (db, { webhookId, now, limit, inHand }) =>
    db
      .selectFrom('webhookDeliveries as d')
      .select(['d.id', 'd.messageId', 'd.subject', 'd.type', 'd.attempts', 'd.createdAt'])
      .select(({ ref }) => parsed<DeliveredEvent['facts']>(ref('d.facts')).as('facts'))
      .where('d.webhookId', '=', webhookId)
      .where('d.status', '=', 'waiting')
      .where('d.nextAt', '<=', now)
      .where('d.id', 'not in', listOf(inHand))
      .orderBy('d.nextAt')
      .orderBy('d.id')
      .limit(limit),
)
