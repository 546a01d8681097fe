import type { Readable } from '../database/database.ts'
import type { TopUpStatus } from './top-up.ts'
import { SKEW_MS } from './top-up-terms.ts'
import { type Usdt, usdtText } from './usdt.ts'

/** A top-up that a transfer may have been meant for. */
export interface NearTopUp {
  readonly orderNo: string
  readonly username: string
  /** USDT, as text. */
  readonly payAmount: string
  readonly status: TopUpStatus
}

/** An exchange keeps so much of a withdrawal at most. */
const FAR: Usdt = 5_000_000
const SHOWN = 3
/** No configuration lets a payment come so long after the creation; it spares looking at the whole history. */
const LONGEST_MS = 10 * 24 * 60 * 60_000

/** Top-ups of that time whose amount is nearest: a fee was kept, or the tail was left out. Nearest first. */
export async function nearTopUps(
  db: Readable,
  transfer: { wallet: string; contract: string; units: bigint; blockTime: Date },
): Promise<NearTopUp[]> {
  const { wallet, contract, units, blockTime } = transfer
  if (units > BigInt(Number.MAX_SAFE_INTEGER)) return []
  const amount = Number(units)
  const time = (ms: number) => new Date(blockTime.getTime() + ms).toISOString()
  const rows = await db.$kysely
    .selectFrom('topUps as t')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['t.orderNo', 'u.username', 't.payUnits', 't.status'])
    .where('t.wallet', '=', wallet)
    .where('t.contract', '=', contract)
    .where(({ between }) => between('t.payUnits', amount - FAR, amount + FAR))
    .where(({ between }) => between('t.createdAt', time(-LONGEST_MS), time(SKEW_MS)))
    .where('t.matchUntil', '>=', time(0))
    .orderBy(({ eb, fn }) => fn('abs', [eb('t.payUnits', '-', amount)]))
    .orderBy('t.id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map(({ payUnits, ...row }) => ({ ...row, payAmount: usdtText(payUnits) }))
}
