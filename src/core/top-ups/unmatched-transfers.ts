import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { literal, rowsAsJson } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import type { Page } from '../page.ts'
import { type Held, record, Time, UsdtDigits } from '../record.ts'
import { isIgnoredByOperator } from './is-ignored-by-operator.ts'
import { type NearTopUp, NearTopUpRecord, nearTopUps } from './near-top-ups.ts'
import type { UnmatchedReason } from './record-receipt.ts'
import type { Watched } from './scan-state.ts'
import { usdtText } from '../usdt.ts'
import type { Essentials } from '../jobs/essentials.ts'

const WAITING = {
  /** Id of the network over which it came. */
  network: z.string(),
  txid: z.string(),
  index: z.int(),
  units: UsdtDigits,
  from: z.string(),
  blockTime: Time,
  reason: z.custom<UnmatchedReason>(),
}
const UNMATCHED = {
  ...WAITING,
  /** Top-ups of which somebody says that it is their payment, the first claim first. */
  claims: NearTopUpRecord.array(),
  /** Other top-ups that it may have been meant for. */
  near: NearTopUpRecord.array(),
}
export const UnmatchedTransferRecord = record(UNMATCHED, {
  names: { index: 'log_index', units: 'amount', from: 'from_address' },
})

/** A transfer to a wallet of ours that paid no top-up and needs a decision of the operator. */
export type WaitingTransfer = Watched & Held<typeof WAITING> & { readonly id: number }
export type UnmatchedTransfer = WaitingTransfer & Held<typeof UNMATCHED>

const LISTED = 500
/** Most claims that are shown for a transfer. */
const CLAIMS = 5

/** Query for {@link WaitingTransfer}s. */
function unmatchedTransfers({ $kysely }: Queryable) {
  return $kysely
    .selectFrom('usdtTransfers as x')
    .select([
      'x.id',
      'x.network',
      'x.txid',
      'x.logIndex as index',
      'x.wallet',
      'x.contract',
      'x.fromAddress as from',
    ])
    .select(['x.units', 'x.blockTime', 'x.reason'])
    .where('x.state', '=', literal('unmatched'))
    .$narrowType<{ reason: UnmatchedReason }>()
}

/** Lists the transfers that wait for a decision, oldest first (rules 10.9). */
export async function pageOfUnmatched(
  { db }: Essentials,
  page: number,
  pageSize: number,
): Promise<Page<WaitingTransfer>> {
  const items = unmatchedTransfers(db.read)
    .orderBy('x.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const found = await db.read.$kysely
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('usdtTransfers')
        .select(fn.countAll<number>().as('total'))
        .where('state', '=', literal('unmatched'))
        .as('total'),
      rowsAsJson(items, 'id').as('items'),
    ])
    .executeTakeFirstOrThrow()
  return { items: found.items, total: found.total ?? 0, page, pageSize }
}

/** Lists the oldest transfers that wait for a decision, with the top-ups that each may be for. */
export async function listUnmatched(deps: Essentials): Promise<UnmatchedTransfer[]> {
  const { items } = await pageOfUnmatched(deps, 1, LISTED)
  return Promise.all(items.map((transfer) => withNearTopUps(deps, transfer)))
}

/**
 * Returns a transfer that waits for a decision, with the top-ups that it may be for.
 *
 * @returns undefined when it is resolved or does not exist
 */
export async function findUnmatched(
  deps: Essentials,
  key: TransferKey,
): Promise<UnmatchedTransfer | undefined> {
  const found = await unmatchedTransfers(deps.db.read).where(isNamed(key)).executeTakeFirst()
  return found && withNearTopUps(deps, found)
}

/** How buttons and notices name a transfer: its row, or the transaction, or a unique prefix of that, and the position in it. */
export type TransferKey =
  | { readonly id: number }
  | { readonly network?: string; readonly txid: string; readonly index: number }

const { eb, and } = expressionBuilder<DB & { x: DB['usdtTransfers'] }, 'x'>()

function isNamed(key: TransferKey) {
  if ('id' in key) return eb('x.id', '=', key.id)
  const { network, txid, index } = key
  return and([
    // No digit of an id comes after `~`.
    eb('x.txid', '>=', txid),
    eb('x.txid', '<=', `${txid}~`),
    eb('x.logIndex', '=', index),
    ...(network === undefined ? [] : [eb('x.network', '=', network)]),
  ])
}

/** Returns a transfer that the operator has ignored; undefined when there is none. */
export async function findIgnored(
  { db }: Essentials,
  key: TransferKey,
): Promise<Pick<WaitingTransfer, 'network' | 'txid' | 'index'> | undefined> {
  const found = await db.read.$kysely
    .selectFrom('usdtTransfers as x')
    .select(['x.network', 'x.txid', 'x.logIndex as index', 'x.state', 'x.resolvedAt'])
    .where(isNamed(key))
    .execute()
  const ignored = found.find(isIgnoredByOperator)
  return ignored && { network: ignored.network, txid: ignored.txid, index: ignored.index }
}

async function withNearTopUps({ db }: Essentials, transfer: WaitingTransfer): Promise<UnmatchedTransfer> {
  const { network, wallet, contract, units, blockTime } = transfer
  const payment = { network, wallet, contract, units: BigInt(units), blockTime: new Date(blockTime) }
  const claims = await claimsOf(db.read, transfer)
  const near = await nearTopUps(db.read, payment)
  const claimed = new Set(claims.map(({ orderNo }) => orderNo))
  return { ...transfer, claims, near: near.filter(({ orderNo }) => !claimed.has(orderNo)) }
}

async function claimsOf({ $kysely }: Queryable, { id }: Pick<WaitingTransfer, 'id'>): Promise<NearTopUp[]> {
  const rows = await $kysely
    .selectFrom('transferClaims as c')
    .innerJoin('topUps as t', 't.id', 'c.topUpId')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['t.orderNo', 'u.username', 't.payUnits', 't.status'])
    .where('c.transferId', '=', id)
    .orderBy('c.id')
    .limit(CLAIMS)
    .execute()
  return rows.map(({ payUnits, ...row }) => ({ ...row, payAmount: usdtText(payUnits) }))
}
