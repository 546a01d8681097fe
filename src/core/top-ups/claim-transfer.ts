import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import type { Tx } from '../database/database.ts'
import { allOf, listOf } from '../database/dialect.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { type CheckedTopUp, lookAtTopUp } from './check-top-up.ts'
import { creditTopUp } from './credit-top-up.ts'
import { awaited, isNear, offeredTransfers } from './offered-transfers.ts'
import { type NamedTransfer, parseTransferName } from './transfer-names.ts'
import { getTopUp } from './top-up.ts'
import { happened } from '../facts/happened.ts'
import type { TopUpDeps } from './deps.ts'

/** The claimed transfer, named by `txHash`, `id`, or both. */
const Claim = z
  .object({ txHash: z.string().max(300).optional(), id: z.int().positive().optional() })
  .refine(({ txHash, id }) => txHash !== undefined || id !== undefined, {
    path: ['tx_hash'],
    error: 'required',
  })

const eb = expressionBuilder<DB & { x: DB['usdtTransfers'] }, 'x'>()

/**
 * Claims a transfer that paid no top-up as the payment for this one (rules 8.14). The operator sees the claim with the transfer and
 * decides; where the sender proves that it is nobody else's, it is credited at once. Idempotent.
 *
 * @param orderNo of the top-up: its own number, or the one that the actor gave it
 * @param input `txHash`: transaction of the transfer, `TXID:INDEX` where it has several; or its `id` as it was offered
 * @throws order_not_found, payment_in_progress, validation_error (tx_hash): not of a transfer that is offered for this top-up
 */
export async function claimTransfer(
  deps: TopUpDeps,
  actor: Actor,
  orderNo: string,
  input: z.input<typeof Claim>,
): Promise<CheckedTopUp> {
  const { id, txHash } = parseInput(Claim, input)
  const named = txHash === undefined ? undefined : parseTransferName(deps.networks, txHash, 'tx_hash')
  const topUp = await getTopUp(deps, actor, orderNo)
  const claim = (credits: boolean) =>
    deps.db.write((tx) => recordClaim(deps, tx, topUp.orderNo, { id, named }, credits))
  try {
    await claim(true)
  } catch (error) {
    // Perhaps the balance would be above the limit: the operator decides.
    if (!(error instanceof InvalidInput)) throw error
    await claim(false)
  }
  return lookAtTopUp(deps, actor, topUp.orderNo)
}

async function recordClaim(
  deps: TopUpDeps,
  tx: Tx,
  orderNo: string,
  { id, named }: { readonly id?: number | undefined; readonly named: NamedTransfer | undefined },
  credits: boolean,
): Promise<void> {
  const now = deps.clock.now()
  const isNamed = allOf([
    ...(id === undefined ? [] : [eb('x.id', '=', id)]),
    ...(named === undefined ? [] : [eb('x.txid', 'in', listOf(named.transactions.map(({ txid }) => txid)))]),
    ...(named?.index === undefined ? [] : [eb('x.logIndex', '=', named.index)]),
  ])
  const offer = await offeredTransfers(tx)
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['t.id as topUpId', 't.userId', 't.rate', 't.status', 't.amountUnits'])
    .select(['t.createdAt', 't.expiresAt', 'u.username', 'u.status as userStatus'])
    .where('t.orderNo', '=', orderNo)
    .where(isNamed)
    .executeTakeFirst()
  if (!offer) return requirePaidBy(tx, orderNo, isNamed)
  if (offer.status === 'confirming') throw new ServiceError('payment_in_progress')
  const { id: transferId, topUpId, userId } = offer
  if (credits && offer.userStatus === 'active' && (await isSurelyTheirs(tx, offer))) {
    await tx.$kysely
      .updateTable('usdtTransfers')
      .set({ state: 'matched', topUpId, note: `claimed by ${offer.username}`, resolvedAt: now })
      .where('id', '=', transferId)
      .execute()
    const late = offer.status === 'cancelled' || offer.blockTime > offer.expiresAt
    const topUp = { id: topUpId, orderNo, userId, rate: offer.rate }
    return creditTopUp(deps, tx, topUp, offer, { late, manual: false })
  }
  if (offer.claimedAt !== null) return
  await tx.$kysely.insertInto('transferClaims').values({ transferId, topUpId, createdAt: now }).execute()
  happened(tx, {
    kind: 'transfer.claimed',
    network: offer.network,
    txid: offer.txid,
    index: offer.index,
    orderNo,
  })
}

/**
 * Accepts a repetition of a claim, which finds the top-up paid by this transaction.
 *
 * @throws validation_error (tx_hash) when this transaction has not paid it; it tells nothing about transfers of others
 */
async function requirePaidBy(tx: Tx, orderNo: string, isNamed: Expression<SqlBool>): Promise<void> {
  const paid = await tx.$kysely
    .selectFrom('usdtTransfers as x')
    .innerJoin('topUps as t', 't.id', 'x.topUpId')
    .select('x.id')
    .where(isNamed)
    .where('t.orderNo', '=', orderNo)
    .executeTakeFirst()
  if (!paid) throw InvalidInput.of('tx_hash', 'not_for_this_top_up')
}

/** A transfer and the top-up for which it is claimed. */
interface Offer {
  readonly id: number
  readonly network: string
  readonly from: string
  readonly units: number
  readonly blockTime: string
  readonly userId: number
  readonly amountUnits: number
  readonly status: string
  readonly createdAt: string
}

/**
 * Whether nobody else can have sent the transfer (rules 8.14): it is the amount of a top-up that was open, without the tail; its sender
 * has paid this account before, by an exact amount, and no other account ever, as an exchange would; nobody else claims a transfer of
 * that sender; and no top-up of another account can be meant.
 */
async function isSurelyTheirs(
  tx: Tx,
  { id, network, from, units, blockTime, userId, amountUnits, status, createdAt }: Offer,
): Promise<boolean> {
  if (status === 'paid' || units !== amountUnits || createdAt > blockTime) return false
  const known = await tx.$kysely
    .selectNoFrom(({ selectFrom, exists }) => {
      const sent = selectFrom('usdtTransfers as s')
        .where('s.network', '=', network)
        .where('s.fromAddress', '=', from)
      const paid = sent.innerJoin('topUps as p', 'p.id', 's.topUpId').select('s.id')
      const claims = sent
        .innerJoin('transferClaims as c', 'c.transferId', 's.id')
        .innerJoin('topUps as p', 'p.id', 'c.topUpId')
        .select('c.id')
      const meant = selectFrom('usdtTransfers as x')
        .innerJoin('topUps as o', (on) => on.on(awaited('o')).on(isNear('o')))
        .select('o.id')
        .where('x.id', '=', id)
        .where('o.status', '<>', 'paid')
        .where('o.userId', '<>', userId)
      return [
        exists(paid.where('p.userId', '=', userId).where('s.resolvedAt', 'is', null)).as('before'),
        exists(paid.where('p.userId', '<>', userId)).as('forOthers'),
        exists(claims.where('p.userId', '<>', userId)).as('claimedByOthers'),
        exists(meant).as('othersMeant'),
      ]
    })
    .executeTakeFirstOrThrow()
  return Boolean(known.before) && !known.forOthers && !known.claimedByOthers && !known.othersMeant
}
