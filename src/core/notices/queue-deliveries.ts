import type { Expression } from 'kysely'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { jsonText, listOf } from '../database/dialect.ts'
import { addsWork } from '../jobs/added-work.ts'

/** Time in ms for which notices to an agent about its sub-users are collected. */
export const DIGEST_MS = 60_000

/**
 * Enqueues the delivery of pending notices: each by itself, but those to an agent about its sub-users as one digest per kind, a
 * minute later.
 *
 * @param notices others than pending ones are ignored
 */
export async function queueDeliveries(
  tx: Tx,
  now: Date,
  notices: readonly { readonly id: number }[],
): Promise<void> {
  if (notices.length === 0) return
  const ids = notices.map(({ id }) => id)
  await addDeliveries(tx, { ids, now, digestAt: new Date(now.getTime() + DIGEST_MS) })
  addsWork(tx, 'messages')
}

const addDeliveries = compiled<{ ids: readonly number[]; now: Date; digestAt: Date }>()(
  (db, { ids, now, digestAt }) =>
    db
      .insertInto('jobs')
      .columns(['kind', 'key', 'runAt', 'createdAt'])
      .expression(({ selectFrom }) =>
        selectFrom('notices')
          .select(({ eb, ref, val, cast }) => {
            const grouped = eb(jsonText(ref('data'), 'about'), 'is not', null)
            const digest = eb(eb(cast<string>('chatId', 'text'), '||', val(' ')), '||', ref('kind'))
            const either = <T>(one: Expression<T>, other: Expression<T>) =>
              eb.case().when(grouped).then(one).else(other).end()
            return [
              either(val('deliver_digest'), val('deliver_notice')).as('kind'),
              either(digest, cast<string>('id', 'text')).as('key'),
              either(digestAt, now).as('runAt'),
              now.as('createdAt'),
            ]
          })
          .where('id', 'in', listOf(ids))
          .where('status', '=', 'pending')
          .orderBy('id'),
      )
      .onConflict((asked) => asked.doNothing()),
)
