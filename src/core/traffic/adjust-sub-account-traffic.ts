import { z } from 'zod'
import type { Actor } from '../access.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { bytesOf } from './bytes.ts'
import { moveTraffic } from './move-traffic.ts'
import { readSubAccount, Remark, type SubAccount, TrafficMoveAmount } from './sub-account.ts'

export const TrafficMoveInput = z.object({
  /** GB: positive from the main account to the sub-account, negative back. */
  amount: TrafficMoveAmount,
  remark: Remark.nullish(),
})

/**
 * Gives a sub-account traffic of its main account, or takes back what it has not used (contract 6, variant B).
 *
 * @throws sub_account_not_found, traffic_not_available (data: requested, available in GB), validation_error
 */
export async function adjustSubAccountTraffic(
  deps: CoreDeps,
  actor: Actor,
  id: number | undefined,
  input: z.input<typeof TrafficMoveInput>,
): Promise<SubAccount> {
  const { amount, remark } = parseInput(TrafficMoveInput, input)
  return deps.db.write(async (tx) => {
    const { id: subAccountId } = await readSubAccount(tx, actor, id)
    const move = { subAccountId, bytes: bytesOf(amount), remark: remark ?? '' }
    await moveTraffic(tx, deps.clock.now(), actor, move)
    return readSubAccount(tx, actor, subAccountId)
  })
}
