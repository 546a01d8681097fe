import { Prisma } from '../../generated/prisma/client.ts'
import { jsonObject, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { Page } from '../page.ts'
import { type NearTopUp, nearTopUps } from './near-top-ups.ts'
import type { UnmatchedReason, WatchedWallet } from './record-receipt.ts'

/** A transfer to a wallet of ours that paid no top-up, and that the operator has to decide about. */
export interface WaitingTransfer extends WatchedWallet {
  readonly txid: string
  readonly index: number
  readonly from: string
  /** Units of 10^-6 USDT, as digits: may be beyond all integers. */
  readonly units: string
  readonly blockTime: string
  readonly reason: UnmatchedReason
}

export interface UnmatchedTransfer extends WaitingTransfer {
  /** Top-ups that it may have been meant for. */
  readonly near: readonly NearTopUp[]
}

const transferJson = jsonObject({
  txid: 'txid',
  index: 'log_index',
  wallet: 'wallet',
  contract: 'contract',
  from: 'from_address',
  units: 'units',
  blockTime: 'block_time',
  reason: 'reason',
})
const WAITING = Prisma.sql`usdt_transfers WHERE state = 'unmatched'`
const LISTED = 500

/** The operator's queue, oldest first (rules 10.9). */
export async function pageOfUnmatched(
  { db }: CoreDeps,
  page: number,
  pageSize: number,
): Promise<Page<WaitingTransfer>> {
  const [found] = await selectJson<{ total: number; items: WaitingTransfer[] }>(
    db.read,
    Prisma.sql`SELECT json_object('total', (SELECT count(*) FROM ${WAITING}),
                 'items', (SELECT json_group_array(${transferJson}) FROM (
                   SELECT * FROM ${WAITING} ORDER BY id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}))) AS json`,
  )
  return { items: found?.items ?? [], total: found?.total ?? 0, page, pageSize }
}

/** The beginning of the queue, with what each may be for. */
export async function listUnmatched(deps: CoreDeps): Promise<UnmatchedTransfer[]> {
  const { items } = await pageOfUnmatched(deps, 1, LISTED)
  return Promise.all(items.map((transfer) => explained(deps, transfer)))
}

/**
 * One of the queue, with what it may be for.
 *
 * @param txid of its transaction, or so much of it that no two have it in common
 * @returns undefined when it is settled, or was never there
 */
export async function findUnmatched(
  deps: CoreDeps,
  { txid, index }: Pick<WaitingTransfer, 'txid' | 'index'>,
): Promise<UnmatchedTransfer | undefined> {
  const [transfer] = await selectJson<WaitingTransfer>(
    deps.db.read,
    Prisma.sql`SELECT ${transferJson} AS json FROM ${WAITING}
                 AND txid >= ${txid} AND txid <= ${`${txid}g`} AND log_index = ${index}`,
  )
  return transfer && explained(deps, transfer)
}

async function explained({ db }: CoreDeps, transfer: WaitingTransfer): Promise<UnmatchedTransfer> {
  const { wallet, contract, units, blockTime } = transfer
  const payment = { wallet, contract, units: BigInt(units), blockTime: new Date(blockTime) }
  return { ...transfer, near: await nearTopUps(db.read, payment) }
}
