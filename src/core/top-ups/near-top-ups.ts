import { z } from 'zod'
import type { Readable } from '../database/database.ts'
import { TopUpStatus } from '../../generated/prisma/enums.ts'
import { type HeldOf, record } from '../record.ts'
import type { UsdtUnits } from './payment-network.ts'
import type { Watched } from './scan-state.ts'
import { SKEW_MS } from './top-up-terms.ts'
import { type Usdt, usdtText } from '../usdt.ts'

/** A top-up that a transfer may have been meant for. */
export const NearTopUpRecord = record({
  orderNo: z.string(),
  username: z.string(),
  /** USDT, as text. */
  payAmount: z.string(),
  status: z.enum(TopUpStatus),
})

export type NearTopUp = HeldOf<typeof NearTopUpRecord>

/** Largest difference of amounts: the highest fee that an exchange keeps of a withdrawal. */
export const MAX_DIFFERENCE: Usdt = 5_000_000
const SHOWN = 3
/** Upper limit in ms, over all configurations, of the time from creation to an accepted payment; bounds the search. */
const MAX_DELAY_MS = 10 * 24 * 60 * 60_000

/** Finds top-ups with a similar amount that could be paid then, nearest first: a fee may be deducted, or the tail left out. */
export async function nearTopUps(
  db: Readable,
  transfer: Watched & { readonly units: UsdtUnits; readonly blockTime: Date },
): Promise<NearTopUp[]> {
  const { network, wallet, contract, units, blockTime } = transfer
  if (units > BigInt(Number.MAX_SAFE_INTEGER)) return []
  const amount = Number(units)
  const time = (ms: number) => new Date(blockTime.getTime() + ms).toISOString()
  const rows = await db.$kysely
    .selectFrom('topUps as t')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['t.orderNo', 'u.username', 't.payUnits', 't.status'])
    .where('t.network', '=', network)
    .where('t.wallet', '=', wallet)
    .where('t.contract', '=', contract)
    .where(({ between }) => between('t.payUnits', amount - MAX_DIFFERENCE, amount + MAX_DIFFERENCE))
    .where(({ between }) => between('t.createdAt', time(-MAX_DELAY_MS), time(SKEW_MS)))
    .where('t.matchUntil', '>=', time(0))
    .orderBy(({ eb, fn }) => fn('abs', [eb('t.payUnits', '-', amount)]))
    .orderBy('t.id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map(({ payUnits, ...row }) => ({ ...row, payAmount: usdtText(payUnits) }))
}
