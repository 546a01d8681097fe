import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { withFlushed } from './flush.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { bytesOf } from '../bytes.ts'
import { moveTraffic } from './move-traffic.ts'
import {
  mainUsernameOf,
  readSubAccount,
  Remark,
  type SubAccount,
  TrafficMoveAmount,
  usernameOf,
} from './sub-account.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const TrafficMoveInput = z.object({
  /** GB: positive from the main account to the sub-account, negative back. */
  amount: TrafficMoveAmount,
  remark: Remark.nullish(),
})

/** With a key, a repeated request moves nothing and gets the first answer again. */
export const TrafficMoveRequest = TrafficMoveInput.extend({ requestKey: RequestKey.nullish() })

/**
 * Moves traffic from a main account to its sub-account, or unused traffic back (rules 6.10), after the gateway has reported what was
 * used (rules 12.4).
 *
 * @throws sub_account_not_found, traffic_not_available (data: requested, available in GB), idempotency_conflict,
 *   validation_error
 */
export async function adjustSubAccountTraffic(
  deps: Essentials,
  actor: Actor,
  id: number | undefined,
  input: z.input<typeof TrafficMoveRequest>,
): Promise<SubAccount & { readonly replayed: boolean }> {
  const { amount, remark, requestKey } = parseInput(TrafficMoveRequest, input)
  const request = { key: requestKey, kind: 'adjust_sub_account_traffic', input: { id, amount, remark } }
  const adjust = () =>
    once(deps, actor, request, async (tx) => {
      const { id: subAccountId } = await readSubAccount(tx, actor, id)
      const move = {
        subAccountId,
        bytes: bytesOf(amount),
        remark: remark ?? '',
        // Kept for good, unlike the stored answers of request keys: an old chat button cannot move the traffic a second time.
        requestKey: requestKey ? `${actor.id} ${requestKey}` : null,
      }
      try {
        await moveTraffic(tx, deps.clock.now(), actor, move)
      } catch (error) {
        if (!uniqueViolation(error, 'request_key')) throw error
        throw new ServiceError('idempotency_conflict', { data: { idempotency_key: requestKey } })
      }
      return readSubAccount(tx, actor, subAccountId)
    })
  // The side that gives is flushed: use of it that is not reported yet would otherwise be free.
  const giver = await (amount < 0 ? usernameOf : mainUsernameOf)(deps.db.read, actor, id)
  return withFlushed(deps, giver, adjust)
}
