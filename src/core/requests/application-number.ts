import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { literal } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'

/** Tables of the requests to which a caller gives a number or a key. */
type NumberedKind = 'staticOrders' | 'dynamicOrders' | 'renewals' | 'requestKeys'

/**
 * Refuses an application order number that the caller has used for another kind of request. It is unique per caller over all
 * orders, renewals and requests with a key (rules 4.3); the database enforces that only within a kind. To be called in the
 * transaction of the request.
 *
 * @param number the caller's; a number that the service generates need not be checked
 * @param own the kind of the request
 * @throws idempotency_conflict
 */
export async function refuseNumberOfOtherKind(
  tx: Tx,
  actor: Actor,
  number: string | null | undefined,
  own: NumberedKind,
): Promise<void> {
  if (!number) return
  const taken = await kindsWith(tx, { callerId: actor.id, number })
  if (taken.every(({ kind }) => kind === own)) return
  const name = own === 'requestKeys' ? 'idempotency_key' : 'app_order_no'
  throw new ServiceError('idempotency_conflict', { data: { [name]: number } })
}

const kindsWith = compiled<{ callerId: number; number: string }>()((db, { callerId, number }) => {
  const from = (kind: Exclude<NumberedKind, 'requestKeys'>) =>
    db
      .selectFrom(kind)
      .select(literal<NumberedKind>(kind).as('kind'))
      .where('callerId', '=', callerId)
      .where('appOrderNo', '=', number)
  const keys = db
    .selectFrom('requestKeys')
    .select(literal<NumberedKind>('requestKeys').as('kind'))
    .where('callerId', '=', callerId)
    .where('key', '=', number)
  return keys.unionAll(from('staticOrders')).unionAll(from('dynamicOrders')).unionAll(from('renewals'))
})
