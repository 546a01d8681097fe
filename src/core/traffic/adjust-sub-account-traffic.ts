import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { type Readable, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { RequestKey } from '../request-key.ts'
import { bytesOf } from './bytes.ts'
import { moveTraffic, type TrafficMove } from './move-traffic.ts'
import { readSubAccount, Remark, type SubAccount, TrafficMoveAmount } from './sub-account.ts'

export const TrafficMoveInput = z.object({
  /** GB: positive from the main account to the sub-account, negative back. */
  amount: TrafficMoveAmount,
  remark: Remark.nullish(),
})

/** With a key, a repetition moves nothing and is answered with the sub-account as it stands. */
export const TrafficMoveRequest = TrafficMoveInput.extend({ requestKey: RequestKey.nullish() })

/**
 * Gives a sub-account traffic of its main account, or takes back what it has not used (contract 6, variant B).
 *
 * @throws sub_account_not_found, traffic_not_available (data: requested, available in GB), idempotency_conflict,
 *   validation_error
 */
export async function adjustSubAccountTraffic(
  deps: CoreDeps,
  actor: Actor,
  id: number | undefined,
  input: z.input<typeof TrafficMoveRequest>,
): Promise<SubAccount & { readonly replayed: boolean }> {
  const { amount, remark, requestKey } = parseInput(TrafficMoveRequest, input)
  return deps.db.write(async (tx) => {
    const { id: subAccountId } = await readSubAccount(tx, actor, id)
    const move = {
      subAccountId,
      bytes: bytesOf(amount),
      remark: remark ?? '',
      requestKey: requestKey ? `${actor.id} ${requestKey}` : null,
    }
    const first = requestKey && (await findMove(tx, move.requestKey))
    if (first) {
      if (first.subAccountId !== subAccountId || first.bytes !== move.bytes || first.remark !== move.remark)
        throw new ServiceError('idempotency_conflict', { data: { idempotency_key: requestKey } })
    } else {
      await moveTraffic(tx, deps.clock.now(), actor, move)
    }
    return { ...(await readSubAccount(tx, actor, subAccountId)), replayed: Boolean(first) }
  })
}

async function findMove(db: Readable, requestKey: string | null): Promise<TrafficMove | undefined> {
  const [move] = await selectJson<TrafficMove>(
    db,
    Prisma.sql`SELECT json_object('subAccountId', sub_account_id, 'bytes', bytes, 'remark', remark) AS json
               FROM traffic_moves WHERE request_key = ${requestKey}`,
  )
  return move
}
