import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import { InvalidInput } from '../errors.ts'
import { announceToOperators } from '../notices/announce.ts'
import type { Receipt, TransferLog } from './chain-reader.ts'
import { creditTopUp, type Payment } from './credit-top-up.ts'
import { refreshScreens } from './refresh-screens.ts'
import { SKEW_MS } from './top-up-terms.ts'
import { MAX_AUTO_CREDIT, DUST_UNITS } from './usdt.ts'

/** A wallet of ours and the token that it takes: the chain is read for each such pair. */
export interface WatchedWallet {
  readonly wallet: string
  readonly contract: string
}

/** Why a transfer to the wallet paid no top-up. */
export type UnmatchedReason =
  | 'no_order'
  | 'duplicate_payment'
  | 'user_deleted'
  | 'absurd_amount'
  /** The balance would be beyond all limits. */
  | 'not_creditable'

type Verdict =
  | { readonly state: 'matched'; readonly topUp: Match }
  | { readonly state: 'ignored'; readonly reason: 'self' | 'dust' }
  | { readonly state: 'unmatched'; readonly reason: UnmatchedReason }

/**
 * Books what an irreversible receipt says (rules 8.7, 8.8): each transfer to a wallet of ours is recorded once, under (txid, log
 * index), and credits the top-up that it pays, all in one transaction. Repeating it changes nothing.
 *
 * @param watched all of our wallets: one transaction may pay to several of them
 */
export async function recordReceipt(
  deps: Essentials,
  watched: readonly WatchedWallet[],
  receipt: Receipt,
): Promise<void> {
  const transfers = receipt.transfers.filter(
    ({ contract, to, units }) =>
      units > 0n && watched.some((ours) => ours.wallet === to && ours.contract === contract),
  )
  const record = (creditable: boolean) =>
    deps.db.write(async (tx) => {
      for (const transfer of receipt.success ? transfers : [])
        await recordTransfer(deps, tx, receipt, transfer, creditable)
      await tx.$executeRaw`UPDATE chain_candidates SET state = 'done' WHERE txid = ${receipt.txid}`
      await stopConfirming(deps, tx, receipt.txid)
    })
  try {
    await record(true)
  } catch (error) {
    // A balance beyond all limits: the operator decides.
    if (!(error instanceof InvalidInput)) throw error
    await record(false)
  }
  deps.jobs.wake()
}

/** The payment that was seen for a top-up has failed, or has vanished: it awaits another one. */
export async function stopConfirming(deps: Essentials, tx: Tx, txid: string): Promise<void> {
  const waiting = await selectJson<string>(
    tx,
    Prisma.sql`UPDATE top_ups SET status = 'pending', seen_txid = NULL, updated_at = ${deps.clock.now()}
               WHERE status = 'confirming' AND seen_txid = ${txid} RETURNING json_quote(order_no) AS json`,
  )
  for (const orderNo of waiting) await refreshScreens(deps, tx, orderNo, 'pending')
}

async function recordTransfer(
  deps: Essentials,
  tx: Tx,
  { txid, blockNumber, blockTime }: Receipt,
  transfer: TransferLog,
  creditable: boolean,
): Promise<void> {
  const { index, contract, from, to: wallet, units } = transfer
  const [known] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM usdt_transfers WHERE txid = ${txid} AND log_index = ${index}`
  if (known) return
  const now = deps.clock.now()
  const verdict = await judge(tx, transfer, blockTime, creditable)
  const reason = verdict.state === 'matched' ? null : verdict.reason
  const topUpId = verdict.state === 'matched' ? verdict.topUp.id : null
  await tx.$executeRaw`
    INSERT INTO usdt_transfers (txid, log_index, wallet, contract, from_address, units, block_number, block_time, state, reason,
                                top_up_id, created_at)
    VALUES (${txid}, ${index}, ${wallet}, ${contract}, ${from}, ${units.toString()}, ${blockNumber}, ${blockTime}, ${verdict.state},
            ${reason}, ${topUpId}, ${now})`
  const payment: Payment = { txid, index, units: Number(units) }
  if (verdict.state === 'matched') {
    const late = verdict.topUp.cancelled === 1 || blockTime > new Date(verdict.topUp.expiresAt)
    await creditTopUp(deps, tx, verdict.topUp, payment, { late, manual: false })
  }
  if (verdict.state === 'unmatched') {
    await announceToOperators(deps, tx, {
      kind: 'transfer_unmatched',
      subject: `${txid}:${index}`,
      data: {
        txid,
        from,
        units: units.toString(),
        reason: verdict.reason,
        blockTime: blockTime.toISOString(),
      },
    })
  }
}

interface Match {
  readonly id: number
  readonly orderNo: string
  readonly userId: number
  readonly rate: number
  readonly status: string
  readonly userStatus: 'active' | 'disabled' | 'deleted'
  readonly expiresAt: string
  readonly cancelled: 0 | 1
}

/**
 * What a transfer pays. The times during which top-ups hold an amount never overlap, so the amount and the time of the block name
 * one of them, whenever the transfer is found.
 */
async function judge(
  tx: Tx,
  { contract, from, to: wallet, units }: TransferLog,
  blockTime: Date,
  creditable: boolean,
): Promise<Verdict> {
  if (from === wallet) return { state: 'ignored', reason: 'self' }
  if (units > MAX_AUTO_CREDIT) return { state: 'unmatched', reason: 'absurd_amount' }
  const [topUp] = await selectJson<Match>(
    tx,
    Prisma.sql`SELECT json_object('id', t.id, 'orderNo', t.order_no, 'userId', t.user_id, 'rate', t.rate, 'status', t.status,
                 'userStatus', u.status, 'expiresAt', t.expires_at, 'cancelled', t.status = 'cancelled') AS json
               FROM top_ups t JOIN accounts u ON u.id = t.user_id
               WHERE ${holding({ wallet, contract, units: Number(units), blockTime })}`,
  )
  if (!topUp)
    return units < DUST_UNITS
      ? { state: 'ignored', reason: 'dust' }
      : { state: 'unmatched', reason: 'no_order' }
  if (topUp.status === 'paid') return { state: 'unmatched', reason: 'duplicate_payment' }
  if (topUp.userStatus === 'deleted') return { state: 'unmatched', reason: 'user_deleted' }
  return creditable ? { state: 'matched', topUp } : { state: 'unmatched', reason: 'not_creditable' }
}

/** SQL condition on top-ups `t`: whose amount this was at the time of the block. */
function holding(payment: WatchedWallet & { units: number; blockTime: Date }): Prisma.Sql {
  const { wallet, contract, units, blockTime } = payment
  return Prisma.sql`t.wallet = ${wallet} AND t.contract = ${contract} AND t.pay_units = ${units}
    AND t.created_at <= ${new Date(blockTime.getTime() + SKEW_MS)} AND t.match_until >= ${blockTime}`
}
