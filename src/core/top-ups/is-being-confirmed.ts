import { compiled } from '../database/compiled.ts'
import { literal } from '../database/dialect.ts'
import type { Essentials } from '../essentials.ts'
import { SOLID_MS } from './top-up-terms.ts'

/**
 * Whether the number of confirmations of a top-up still grows; at its end the receipt is awaited.
 *
 * @param orderNo may be that of something else, which is not being confirmed
 */
export async function isBeingConfirmed({ db, clock }: Essentials, orderNo: string): Promise<boolean> {
  const since = new Date(clock.now().getTime() - SOLID_MS).toISOString()
  return (await findConfirming(db.read, { orderNo, since })).length > 0
}

const findConfirming = compiled<{ orderNo: string; since: string }>()((db, { orderNo, since }) =>
  db
    .selectFrom('topUps as t')
    .innerJoin('chainCandidates as c', 'c.txid', 't.seenTxid')
    .select('t.id')
    .where('t.orderNo', '=', orderNo)
    .where('t.status', '=', literal('confirming'))
    .where('c.blockTime', '>', since),
)
