import { type Actor, directSubUser } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { accountNamed } from './account-named.ts'
import { adjustByOperator, adjustSubUserIn, sourceOf } from './adjust-balance.ts'
import { type AnsweredRequest, answerRequest } from './answer-request.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * An agent gives a sub-user what it has asked for (rules 2.23): once, however often it is called.
 *
 * @param id undefined for what cannot be one
 * @throws invalid_state for a request to somebody else, sub_user_not_found, not_direct_sub_user, account_disabled (of the sub-user),
 *   insufficient_balance (of the agent)
 */
export function giveAskedMoney(
  deps: Essentials,
  actor: Actor,
  id: number | undefined,
): Promise<AnsweredRequest> {
  return answerRequest(deps, actor.id, id, async (tx, { userId, amount }) => {
    const { status } = await directSubUser(tx, actor, userId)
    if (status === 'disabled') throw new ServiceError('account_disabled')
    const change = { amount, remark: null, number: undefined, requestKey: undefined }
    const { transactionNo } = await adjustSubUserIn(deps, tx, actor, userId, change)
    return { status: 'given', transactionNo }
  })
}

/**
 * The operator gives an account without an agent what it has asked for (rules 2.23): once, however often it is called.
 *
 * @throws invalid_state for what is no request to the operator, user_not_found, account_disabled
 */
export function giveAskedMoneyByOperator(deps: Essentials, id: number | undefined): Promise<AnsweredRequest> {
  return answerRequest(deps, null, id, async (tx, { username, amount }) => {
    const account = await accountNamed(tx, username)
    if (account.status === 'disabled') throw new ServiceError('account_disabled')
    const source = sourceOf(newNumber('A', deps.clock.now()))
    const { transactionNo } = await adjustByOperator(deps, tx, account, { amount, remark: null, source })
    return { status: 'given', transactionNo }
  })
}

/**
 * An agent, or with null the operator, declines a request for money, and whoever asked is told (rules 2.23).
 *
 * @param id undefined for what cannot be one
 * @throws invalid_state for a request to somebody else
 */
export function declineAskedMoney(
  deps: Essentials,
  agent: Actor | null,
  id: number | undefined,
): Promise<AnsweredRequest> {
  return answerRequest(deps, agent?.id ?? null, id, async (tx, { id: requestId, userId, amount }) => {
    const told = { userId, requestId, agent: agent?.username ?? null, missing: amount }
    happened(tx, { kind: 'money.declined', ...told })
    return { status: 'declined', transactionNo: null }
  })
}
