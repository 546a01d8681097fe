import { Prisma } from '../../generated/prisma/client.ts'
import { type Readable, selectJson } from '../database/database.ts'
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
  const rows = await selectJson<NearTopUp & { units: Usdt }>(
    db,
    Prisma.sql`SELECT json_object('orderNo', t.order_no, 'username', u.username, 'units', t.pay_units, 'status', t.status) AS json
               FROM top_ups t JOIN accounts u ON u.id = t.user_id
               WHERE t.wallet = ${wallet} AND t.contract = ${contract}
                 AND t.pay_units BETWEEN ${Number(units) - FAR} AND ${Number(units) + FAR}
                 AND t.created_at BETWEEN ${new Date(blockTime.getTime() - LONGEST_MS)} AND ${new Date(blockTime.getTime() + SKEW_MS)}
                 AND t.match_until >= ${blockTime}
               ORDER BY abs(t.pay_units - ${Number(units)}), t.id DESC LIMIT ${SHOWN}`,
  )
  return rows.map(({ units: payUnits, ...row }) => ({ ...row, payAmount: usdtText(payUnits) }))
}
