import type { Actor } from '../access.ts'
import { selectJson, type Tx } from '../database/database.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Bytes } from './bytes.ts'
import { trafficNotAvailable } from './sub-account.ts'
import { TRAFFIC_LEFT } from './traffic-left.ts'

export interface TrafficMove {
  readonly subAccountId: number
  /** Positive: to the sub-account; negative: back. */
  readonly bytes: Bytes
  readonly remark: string
  /** No two moves have the same. */
  readonly requestKey?: string | null
}

/**
 * Moves traffic between a main account and its sub-account in the open transaction. The only place that does: both sides change
 * under the condition that they can, or not at all.
 *
 * @throws traffic_not_available when whoever gives has less
 */
export async function moveTraffic(
  tx: Tx,
  now: Date,
  actor: Actor,
  { subAccountId, bytes, remark, requestKey = null }: TrafficMove,
): Promise<void> {
  // The giver first: what it has bounds what the other side can come to.
  const sides = [changeMain, changeSubAccount] as const
  for (const change of bytes > 0 ? sides : sides.toReversed()) {
    if ((await change(tx, now, subAccountId, bytes)) === 1) continue
    const { main, sub } = await leftOf(tx, subAccountId)
    throw trafficNotAvailable(Math.abs(bytes), bytes > 0 ? main : sub)
  }
  await tx.$executeRaw`
    INSERT INTO traffic_moves (sub_account_id, bytes, operator_id, remark, request_key, created_at)
    VALUES (${subAccountId}, ${bytes}, ${actor.id}, ${remark}, ${requestKey}, ${now})`
}

function changeMain(tx: Tx, now: Date, subAccountId: number, bytes: Bytes): Promise<number> {
  return tx.$executeRaw`
    UPDATE traffic SET allocated_bytes = allocated_bytes + ${bytes}, updated_at = ${now}
    WHERE id = (SELECT traffic_id FROM sub_accounts WHERE id = ${subAccountId})
      AND used_bytes + allocated_bytes + ${bytes} <= total_bytes`
}

function changeSubAccount(tx: Tx, now: Date, subAccountId: number, bytes: Bytes): Promise<number> {
  return tx.$executeRaw`
    UPDATE sub_accounts SET limit_bytes = limit_bytes + ${bytes}, updated_at = ${now}
    WHERE id = ${subAccountId} AND status <> 'deleted' AND limit_bytes + ${bytes} >= used_bytes`
}

/** What either side has left; read after one of them could not give. */
async function leftOf(tx: Tx, subAccountId: number): Promise<{ main: Bytes; sub: Bytes }> {
  const [left] = await selectJson<{ main: Bytes; sub: Bytes }>(
    tx,
    Prisma.sql`SELECT json_object('main', ${TRAFFIC_LEFT}, 'sub', s.limit_bytes - s.used_bytes) AS json
               FROM sub_accounts s JOIN traffic t ON t.id = s.traffic_id WHERE s.id = ${subAccountId}`,
  )
  return left ?? { main: 0, sub: 0 }
}
