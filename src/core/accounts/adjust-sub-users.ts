import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import type { Readable } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { numberFor } from '../ids.ts'
import { planTransfer, type TransferPlan } from '../ledger/plan-transfer.ts'
import { fromNumber, type Micros, toNumber } from '../money.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { adjustSubUserIn, SubUserAdjustmentInput } from './adjust-balance.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Most sub-users that an agent can change at once. */
export const SUB_USERS_AT_ONCE = 200

export const SubUserIds = z.array(z.int().positive()).min(1).max(SUB_USERS_AT_ONCE)

/** `amount` is in units of the currency, for each of the users: positive adds, negative deducts. */
const Adjustments = z.object({ userIds: SubUserIds, amount: SubUserAdjustmentInput.shape.amount })

const Confirmed = Adjustments.extend({
  remark: SubUserAdjustmentInput.shape.remark,
  requestKey: RequestKey,
})

export interface AdjustmentsPlan extends TransferPlan {
  readonly users: readonly { readonly id: number; readonly username: string; readonly balance: Micros }[]
  /** Sum over all users. */
  readonly total: Micros
}

/**
 * Returns what changing the balances of several direct sub-users by the same amount would do (rules 2.20); nothing is changed.
 *
 * @throws agent_required, sub_user_not_found, balance_below_zero (data: username, balance), insufficient_balance (of the agent),
 *   validation_error
 */
export async function planAdjustments(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof Adjustments>,
): Promise<AdjustmentsPlan> {
  const { userIds, amount } = parseInput(Adjustments, input)
  return checkAndPlan(db.read, actor, userIds, fromNumber(amount) ?? 0)
}

/**
 * An agent changes the balances of several direct sub-users by the same amount, all of them or none (rules 2.20).
 *
 * @throws as {@link planAdjustments}, and idempotency_conflict
 */
export async function adjustSubUsers(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof Confirmed>,
): Promise<AdjustmentsPlan & { readonly replayed: boolean }> {
  const { userIds, requestKey, remark, ...change } = parseInput(Confirmed, input)
  const amount = fromNumber(change.amount) ?? 0
  const request = { key: requestKey, kind: 'adjust_sub_users', input: { userIds, amount, remark } }
  return once(deps, actor, request, async (tx) => {
    const plan = await checkAndPlan(tx, actor, userIds, amount)
    for (const { id } of plan.users)
      await adjustSubUserIn(deps, tx, actor, id, {
        amount,
        remark,
        requestKey,
        number: numberFor('X', actor.id, `${requestKey}:${id}`),
      })
    return plan
  })
}

async function checkAndPlan(
  db: Readable,
  actor: Actor,
  userIds: readonly number[],
  amount: Micros,
): Promise<AdjustmentsPlan> {
  requireAgent(actor)
  const wanted = [...new Set(userIds)]
  const users = await db.$kysely
    .selectFrom('accounts')
    .select(['id', 'username', 'balance'])
    .where('id', 'in', listOf(wanted))
    .where('agentId', '=', actor.id)
    .where('role', '=', 'user')
    .where('status', '<>', 'deleted')
    .orderBy('id')
    .execute()
  if (users.length < wanted.length) throw new ServiceError('sub_user_not_found')
  const poor = users.find(({ balance }) => balance + amount < 0)
  if (poor)
    throw new ServiceError('balance_below_zero', {
      data: { username: poor.username, balance: toNumber(poor.balance) },
    })
  const total = amount * users.length
  return { users, total, ...(await planTransfer(db, actor, total)) }
}
