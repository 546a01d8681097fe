import type { WebhookDelivery } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { ALWAYS, listOf, parsed, rowsOf } from '../database/dialect.ts'
import { randomText } from '../ids.ts'
import { type EventChoice, type EventType, type FactsOf, isChosen } from './events.ts'
import { addsWork } from '../jobs/added-work.ts'

/** An event of an account, before it is written for webhooks. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type
    readonly accountId: number
    /** What it is about, such as an order: events of the same subject are delivered in their order. */
    readonly subject: string
    /** An event with a key is told only once. */
    readonly key?: string
    /** Reads the facts; called only where somebody is told. */
    readonly facts: (tx: Tx) => Promise<FactsOf<Type>> | FactsOf<Type>
  }
}[EventType]

/**
 * Writes events for the webhooks of the accounts that they concern, and of their agents, in the transaction of what happened (rules
 * 19.3). Events `sub_user.*` are told to the agent only.
 *
 * @param listeners {@link listenersOf} the accounts
 */
export async function recordEvents(
  tx: Tx,
  now: Date,
  events: readonly NewEvent[],
  listeners: readonly Listener[],
): Promise<void> {
  if (listeners.length === 0) return
  for (const { type, accountId, subject, key, facts } of events) {
    const told = listeners.filter(
      (one) =>
        one.userId === accountId &&
        isChosen(type, one.events) &&
        !(type.startsWith('sub_user.') && one.ownerId === accountId),
    )
    const [first] = told
    if (!first) continue
    const { userId, username } = first
    const text = JSON.stringify({ ...(await facts(tx)), userId, username })
    const messageId = newMessageId()
    const row = { messageId, type, subject, facts: text, ...(key !== undefined && { key }) }
    await addDeliveries(tx, { rows: told.map(({ webhookId }) => ({ ...row, webhookId })), now })
  }
}

export type Listener = Awaited<ReturnType<typeof findListeners>>[number]

/** Reads the webhooks that may be told of events of accounts. Where nobody has one, it costs one index lookup. */
export function listenersOf(db: Readable, accountIds: Iterable<number>): Promise<Listener[]> {
  return findListeners(db, { accountIds: [...accountIds] })
}

/** Makes an id that is the same in all attempts, so that a receiver recognizes repetitions; not guessable. */
export function newMessageId(): string {
  return `msg_${randomText(26)}`
}

const findListeners = compiled<{ accountIds: readonly number[] }>()((db, { accountIds }) =>
  db
    // Cross joins fix the order for SQLite: the accounts are few and come first.
    .selectFrom('accounts as u')
    .crossJoin('webhooks as w')
    .crossJoin('accounts as a')
    .select(['u.id as userId', 'u.username', 'w.id as webhookId', 'w.accountId as ownerId'])
    .select(({ ref }) => parsed<EventChoice[]>(ref('w.events')).as('events'))
    .where('u.id', 'in', listOf(accountIds))
    .where(({ eb, ref }) => eb('w.accountId', 'in', [ref('u.id'), ref('u.agentId')]))
    .where('w.status', '=', 'active')
    .whereRef('a.id', '=', 'w.accountId')
    .where('a.status', '=', 'active')
    .orderBy('w.id'),
)

type NewDelivery = Pick<WebhookDelivery, 'webhookId' | 'messageId' | 'type' | 'subject' | 'facts'> & {
  readonly key?: string
}

const NEW_DELIVERY = {
  ...({ webhookId: 'integer', messageId: 'text', type: 'text' } as const),
  ...({ subject: 'text', key: 'text', facts: 'text' } as const),
}

/** Adds deliveries of one event; each is due at once unless an earlier one of its subject still waits. */
export async function addDeliveries(tx: Tx, deliveries: NewDeliveries): Promise<void> {
  await insertDeliveries(tx, deliveries)
  addsWork(tx, 'webhook_deliveries')
}

interface NewDeliveries {
  readonly rows: readonly NewDelivery[]
  readonly now: Date
}

const insertDeliveries = compiled<NewDeliveries>()((db, { rows, now }) =>
  db
    .insertInto('webhookDeliveries')
    .columns(['webhookId', 'messageId', 'type', 'subject', 'key', 'facts', 'createdAt', 'nextAt'])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(rows, NEW_DELIVERY, 'n'))
        .select(['n.webhookId', 'n.messageId', 'n.type', 'n.subject', 'n.key', 'n.facts'])
        .select(({ eb, exists, selectFrom: from, not }) => [
          now.as('createdAt'),
          eb
            .case()
            .when(
              not(
                exists(
                  from('webhookDeliveries as d')
                    .select('d.id')
                    .whereRef('d.webhookId', '=', 'n.webhookId')
                    .whereRef('d.subject', '=', 'n.subject')
                    .where('d.status', '=', 'waiting'),
                ),
              ),
            )
            .then(now)
            .end()
            .as('nextAt'),
        ])
        // Without a condition SQLite would take the conflict clause for one of a join.
        .where(ALWAYS),
    )
    .onConflict((told) => told.doNothing())
    .returning('id'),
)
