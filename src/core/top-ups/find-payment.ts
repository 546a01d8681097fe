import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Actor, maySee } from '../access/actor.ts'
import type { NamedAnswer } from './named-transactions.ts'
import { type OfferedTransfer, offeredTransfers } from './offered-transfers.ts'
import { scannerOf } from './create-top-up.ts'
import { listTopUps } from './top-up.ts'
import type { Transaction } from './transfer-names.ts'
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
 * @param transactions what it may be: on one network, or on each whose ids look like it
 * @throws rate_limited when the chain was asked too often
 */
export async function findPayment(
  deps: TopUpDeps,
  actor: Actor,
  transactions: readonly Transaction[],
): Promise<FoundPayment> {
  const known = await paymentOnRecord(deps, actor, transactions)
  if (known) return known
  const asked = transactions.flatMap(({ network, txid }) => {
    const scanner = scannerOf(deps, network)
    return scanner ? [{ scanner, txid }] : []
  })
  if (!deps.topUps || asked.length === 0) return { kind: 'unknown' }
  deps.topUps.lookUps.pass(actor.id)
  const answers = await Promise.all(
    asked.map(async ({ scanner, txid }) => (await scanner.lookUp(txid)) ?? 'unread'),
  )
  const kind = answers.toSorted((a, b) => TELLS.indexOf(a) - TELLS.indexOf(b))[0] ?? 'unread'
  if (kind !== 'booked') return { kind }
  return (await paymentOnRecord(deps, actor, transactions)) ?? { kind: 'settled' }
}

/** Answers of networks, by how much they say: that of the one which has the transaction comes before those of the others. */
const TELLS: readonly (NamedAnswer | 'unread')[] = [
  'booked',
  'unconfirmed',
  'too_old',
  'other_address',
  'other_token',
  'failed',
  'unread',
  'unknown',
]

async function paymentOnRecord(
  deps: TopUpDeps,
  actor: Actor,
  transactions: readonly Transaction[],
): Promise<FoundPayment | undefined> {
  const [topUp] = (await listTopUps(deps, actor, { paidBy: [...transactions], pageSize: 1 })).items
  if (topUp) return { kind: 'top_up', orderNo: topUp.orderNo }
  const { $kysely } = deps.db.read
  const states = await $kysely
    .selectFrom('usdtTransfers as x')
    .select('x.state')
    .where(isOneOf(transactions, 'x'))
    .execute()
  if (states.length > 0) {
    const offer = await offeredTransfers(deps.db.read)
      .select('t.orderNo')
      .where(isOneOf(transactions, 'x'))
      .where(({ ref }) => maySee(actor, ref('t.userId')))
      .limit(1)
      .executeTakeFirst()
    if (offer) return { kind: 'offered', orderNo: offer.orderNo, transfer: offer }
    return { kind: states.some(({ state }) => state === 'unmatched') ? 'undecided' : 'settled' }
  }
  const listed = await $kysely
    .selectFrom('listedTransactions as c')
    .select('c.txid')
    .where(isOneOf(transactions, 'c'))
    .where('c.state', '=', 'waiting')
    .executeTakeFirst()
  return listed && { kind: 'unconfirmed' }
}

type Rows = DB & { x: DB['usdtTransfers']; c: DB['listedTransactions'] }
const { eb, and, or } = expressionBuilder<Rows, 'x' | 'c'>()

/** Condition: the row is of one of these transactions. */
function isOneOf(transactions: readonly Transaction[], row: 'x' | 'c') {
  return or(
    transactions.map(({ network, txid }) =>
      and([eb(`${row}.network`, '=', network), eb(`${row}.txid`, '=', txid)]),
    ),
  )
}
