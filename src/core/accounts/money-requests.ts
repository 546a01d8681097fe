import type { MoneyRequestStatus } from '../../generated/prisma/client.ts'
import { type Actor, directSubUser } from '../access.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import { numberFor } from '../ids.ts'
import type { Micros } from '../money.ts'
import { announce } from '../notices/announce.ts'
import { adjustSubUserIn } from './adjust-balance.ts'

/** What became of a request for money. */
export interface AnsweredRequest {
  readonly userId: number
  readonly username: string
  readonly amount: Micros
  readonly status: Exclude<MoneyRequestStatus, 'open'>
  /** False when it had been answered before, and nothing was done now. */
  readonly changed: boolean
}

/**
 * An agent gives a sub-user what it has asked for (rules 2.23): once, however often it is called.
 *
 * @param id undefined for what cannot be one
 * @throws invalid_state for a request that is not to this agent, sub_user_not_found, not_direct_sub_user, account_disabled (of the
 *   sub-user), insufficient_balance (of the agent)
 */
export async function giveAskedMoney(
  deps: CoreDeps,
  actor: Actor,
  id: number | undefined,
): Promise<AnsweredRequest> {
  return answer(deps, actor, id, async (tx, { id: requestId, userId, amount }) => {
    const { status } = await directSubUser(tx, actor, userId)
    if (status === 'disabled') throw new ServiceError('account_disabled')
    const number = numberFor('X', actor.id, `request ${requestId}`)
    await end(deps, tx, requestId, { status: 'given', transferNo: number })
    const change = { amount, remark: null, number, requestKey: undefined }
    await adjustSubUserIn(deps, tx, actor, userId, change)
    return 'given'
  })
}

/**
 * An agent declines a request for money, and the sub-user is told (rules 2.23).
 *
 * @param id undefined for what cannot be one
 * @throws invalid_state for a request that is not to this agent
 */
export async function declineAskedMoney(
  deps: CoreDeps,
  actor: Actor,
  id: number | undefined,
): Promise<AnsweredRequest> {
  return answer(deps, actor, id, async (tx, { id: requestId, userId, amount }) => {
    await end(deps, tx, requestId, { status: 'declined', transferNo: null })
    await announce(deps, tx, [
      {
        accountIds: [userId],
        kind: 'money_declined',
        subject: String(requestId),
        data: { agent: actor.username, missing: amount },
        tellAgents: false,
      },
    ])
    return 'declined'
  })
}

interface OpenRequest {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly amount: Micros
}

/** Answers a request that is open still; one that is not stays as it is. */
async function answer(
  deps: CoreDeps,
  actor: Actor,
  id: number | undefined,
  carryOut: (tx: Tx, request: OpenRequest) => Promise<'given' | 'declined'>,
): Promise<AnsweredRequest> {
  const answered = await deps.db.write(async (tx) => {
    const request = id === undefined ? undefined : await findRequest(tx, id, actor.id)
    if (!request) throw new ServiceError('invalid_state')
    const { status: before, ...open } = request
    const { userId, username, amount } = open
    const status = before === 'open' ? await carryOut(tx, open) : before
    return { userId, username, amount, status, changed: before === 'open' }
  })
  deps.jobs.wake()
  return answered
}

async function findRequest(db: Readable, id: number, agentId: number) {
  return db.$kysely
    .selectFrom('moneyRequests as r')
    .innerJoin('accounts as u', 'u.id', 'r.accountId')
    .select(['r.id', 'r.accountId as userId', 'u.username', 'r.amount', 'r.status'])
    .where('r.id', '=', id)
    .where('r.agentId', '=', agentId)
    .executeTakeFirst()
}

async function end(
  { clock }: CoreDeps,
  tx: Tx,
  id: number,
  ended: { readonly status: 'given' | 'declined'; readonly transferNo: string | null },
): Promise<void> {
  await tx.$kysely
    .updateTable('moneyRequests')
    .set({ ...ended, endedAt: clock.now() })
    .where('id', '=', id)
    .execute()
}
