import { compiled } from '../database/compiled.ts'
import { every } from '../jobs/every.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Time in ms for which deliveries are kept (rules 19.8). */
const KEPT_MS = 30 * 24 * 60 * 60_000
const SWEEP_MS = 60_000
/** Rows deleted in one transaction; small, so that other writes are not delayed. */
const BATCH = 500

/** Makes the sweep of the job loop that deletes old deliveries, and what is left of deleted webhooks. */
export function deliverySweep(deps: Essentials): () => Promise<void> {
  const { db, clock } = deps
  return every(SWEEP_MS, clock, async () => {
    const before = new Date(clock.now().getTime() - KEPT_MS).toISOString()
    if ((await findOld(db.read, { before })).length > 0)
      while ((await db.write((tx) => deleteOld(tx, { before }))).length === BATCH);
    for (const { id } of await findDeleted(db.read, {})) {
      while ((await db.write((tx) => deleteSome(tx, { id }))).length === BATCH);
      await db.write((tx) => deleteWebhook(tx, { id }))
    }
  })
}

/** Finds the delivery with the lowest id, if it is old: ids are in the order of time. */
const findOld = compiled<{ before: string }>()((db, { before }) =>
  db
    .selectFrom(db.selectFrom('webhookDeliveries').select(['id', 'createdAt']).orderBy('id').limit(1).as('d'))
    .select('d.id')
    .where('d.createdAt', '<', before),
)

const deleteOld = compiled<{ before: string }>()((db, { before }) =>
  db
    .deleteFrom('webhookDeliveries')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom(
        selectFrom('webhookDeliveries').select(['id', 'createdAt']).orderBy('id').limit(BATCH).as('d'),
      )
        .select('d.id')
        .where('d.createdAt', '<', before),
    )
    .returning('id'),
)

const findDeleted = compiled<object>()((db) =>
  db.selectFrom('webhooks').select('id').where('status', '=', 'deleted').orderBy('id'),
)

const deleteSome = compiled<{ id: number }>()((db, { id }) =>
  db
    .deleteFrom('webhookDeliveries')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhookDeliveries').select('id').where('webhookId', '=', id).limit(BATCH),
    )
    .returning('id'),
)

const deleteWebhook = compiled<{ id: number }>()((db, { id }) =>
  db.deleteFrom('webhooks').where('id', '=', id).where('status', '=', 'deleted'),
)
