import { type Actor, maySee } from '../access/actor.ts'
import type { NamedAnswer } from './named-transactions.ts'
import { type OfferedTransfer, offeredTransfers } from './offered-transfers.ts'
import { listTopUps } from './top-up.ts'
import type { TopUpDeps } from './deps.ts'

/** What a transaction means to the account that names it. */
export type FoundPayment =
  /** It pays, or has paid, a top-up that the actor may see. */
  | { readonly kind: 'top_up'; readonly orderNo: string }
  /** It paid no top-up by itself, and may have been meant for this one. */
  | { readonly kind: 'offered'; readonly orderNo: string; readonly transfer: OfferedTransfer }
  /** It has arrived and fits no top-up of the actor: the shop decides. */
  | { readonly kind: 'undecided' }
  /** It has arrived, and is no payment of the actor; whose it is, is not disclosed. */
  | { readonly kind: 'settled' }
  /** The chain could not be read in time. */
  | { readonly kind: 'unread' }
  | { readonly kind: Exclude<NamedAnswer, 'booked'> }

/**
 * Finds out what has become of a payment, by its transaction: from the records, or else from the chain, through the server that reads
 * it (rules 8.15).
 *
 * @param txid 64 hexadecimal digits, lower case
 * @throws rate_limited when the chain was asked too often
 */
export async function findPayment(deps: TopUpDeps, actor: Actor, txid: string): Promise<FoundPayment> {
  const known = await paymentOnRecord(deps, actor, txid)
  if (known) return known
  if (!deps.topUps) return { kind: 'unknown' }
  deps.topUps.lookUps.pass(actor.id)
  const kind = (await deps.topUps.scanner.lookUp(txid)) ?? 'unread'
  if (kind !== 'booked') return { kind }
  return (await paymentOnRecord(deps, actor, txid)) ?? { kind: 'settled' }
}

async function paymentOnRecord(
  deps: TopUpDeps,
  actor: Actor,
  txid: string,
): Promise<FoundPayment | undefined> {
  const [topUp] = (await listTopUps(deps, actor, { txid, pageSize: 1 })).items
  if (topUp) return { kind: 'top_up', orderNo: topUp.orderNo }
  const { $kysely } = deps.db.read
  const states = await $kysely.selectFrom('usdtTransfers').select('state').where('txid', '=', txid).execute()
  if (states.length > 0) {
    const offer = await offeredTransfers(deps.db.read)
      .select('t.orderNo')
      .where('x.txid', '=', txid)
      .where(({ ref }) => maySee(actor, ref('t.userId')))
      .limit(1)
      .executeTakeFirst()
    if (offer) return { kind: 'offered', orderNo: offer.orderNo, transfer: offer }
    return { kind: states.some(({ state }) => state === 'unmatched') ? 'undecided' : 'settled' }
  }
  const listed = await $kysely
    .selectFrom('chainCandidates')
    .select('txid')
    .where('txid', '=', txid)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return listed && { kind: 'unconfirmed' }
}
