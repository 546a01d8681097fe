import { batched } from '../batched.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import type { AttemptResult } from './attempt-delivery.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Time in ms after which a webhook to which nothing could be delivered is switched off (rules 19.7). */
const FAILING_MS = 7 * 24 * 60 * 60_000
/** Precision in ms of the time of the last success, so that a busy webhook is not written at each one. */
const DELIVERED_MS = 60_000
const GONE = 410

/** Makes the function that stores results of attempts: those that come at the same time share a transaction. */
export function settlement(deps: Essentials): (result: AttemptResult) => Promise<void> {
  return batched(async (results: readonly AttemptResult[]) => {
    await deps.db.write((tx) => settle(deps, tx, results))
    return () => undefined
  })
}

async function settle(deps: Essentials, tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const now = deps.clock.now()
  await storeResults(tx, { results })
  const ended = results.filter(({ status }) => status !== 'waiting')
  if (ended.length > 0) await releaseNext(tx, { ended, now })

  const good = idsOf(results.filter(({ status }) => status === 'delivered'))
  const seen = { ids: good, now, before: new Date(now.getTime() - DELIVERED_MS).toISOString() }
  if (good.length > 0) await noteSuccess(tx, seen)
  const bad = idsOf(results).filter((id) => !good.includes(id))
  if (bad.length === 0) return
  await noteFailure(tx, { ids: bad, now })
  const gone = idsOf(results.filter(({ responseStatus }) => responseStatus === GONE))
  const off = [
    ...(await switchOffGone(tx, { ids: gone, now })),
    ...(await switchOffFailing(tx, {
      ids: bad,
      now,
      since: new Date(now.getTime() - FAILING_MS).toISOString(),
    })),
  ]
  happened(
    tx,
    ...off.map(({ id, accountId, url, status }) => ({
      kind: 'webhook.off' as const,
      userId: accountId,
      webhookId: id,
      at: now.toISOString(),
      host: new URL(url).host,
      reason: status === 'gone' ? ('gone' as const) : ('failing' as const),
    })),
  )
}

function idsOf(results: readonly AttemptResult[]): number[] {
  return [...new Set(results.map(({ webhookId }) => webhookId))]
}

const RESULT = {
  ...({ id: 'integer', status: 'text', nextAt: 'text', responseStatus: 'integer' } as const),
  ...({ error: 'text', durationMs: 'integer', attemptedAt: 'text' } as const),
}

const storeResults = compiled<{ results: readonly AttemptResult[] }>()((db, { results }) =>
  db
    .updateTable('webhookDeliveries')
    .from(rowsOf(results, RESULT, 'r'))
    .set(({ ref, eb }) => ({
      status: ref('r.status').$castTo<AttemptResult['status']>(),
      attempts: eb('webhookDeliveries.attempts', '+', 1),
      nextAt: ref('r.nextAt'),
      responseStatus: ref('r.responseStatus'),
      error: ref('r.error'),
      durationMs: ref('r.durationMs'),
      attemptedAt: ref('r.attemptedAt'),
    }))
    .whereRef('webhookDeliveries.id', '=', 'r.id')
    .where('webhookDeliveries.status', '=', 'waiting'),
)

/** Makes the next delivery of a subject due, after one has ended. */
const releaseNext = compiled<{ ended: readonly AttemptResult[]; now: Date }>()((db, { ended, now }) =>
  db
    .updateTable('webhookDeliveries')
    .set({ nextAt: now })
    .where('nextAt', 'is', null)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom(rowsOf(ended, { webhookId: 'integer', subject: 'text' }, 'e'))
        .crossJoin('webhookDeliveries as d')
        .select(({ fn }) => fn.min<number>('d.id').as('id'))
        .whereRef('d.webhookId', '=', 'e.webhookId')
        .whereRef('d.subject', '=', 'e.subject')
        .where('d.status', '=', 'waiting')
        .groupBy(['e.webhookId', 'e.subject']),
    ),
)

const noteSuccess = compiled<{ ids: readonly number[]; now: Date; before: string }>()(
  (db, { ids, now, before }) =>
    db
      .updateTable('webhooks')
      .set({ failingSince: null, deliveredAt: now })
      .where('id', 'in', listOf(ids))
      .where(({ eb, or }) =>
        or([
          eb('failingSince', 'is not', null),
          eb('deliveredAt', 'is', null),
          eb('deliveredAt', '<', before),
        ]),
      ),
)

const noteFailure = compiled<{ ids: readonly number[]; now: Date }>()((db, { ids, now }) =>
  db
    .updateTable('webhooks')
    .set({ failingSince: now })
    .where('id', 'in', listOf(ids))
    .where('failingSince', 'is', null),
)

const switchOffGone = compiled<{ ids: readonly number[]; now: Date }>()((db, { ids, now }) =>
  db
    .updateTable('webhooks')
    .set({ status: 'gone', updatedAt: now })
    .where('id', 'in', listOf(ids))
    .where('status', '=', 'active')
    .returning(['id', 'accountId', 'url', 'status']),
)

const switchOffFailing = compiled<{ ids: readonly number[]; now: Date; since: string }>()(
  (db, { ids, now, since }) =>
    db
      .updateTable('webhooks')
      .set({ status: 'failing', updatedAt: now })
      .where('id', 'in', listOf(ids))
      .where('status', '=', 'active')
      .where('failingSince', '<=', since)
      .returning(['id', 'accountId', 'url', 'status']),
)
