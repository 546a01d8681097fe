import { type Actor, targetUser } from '../access/actor.ts'
import type { Tx } from '../database/database.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import { InvalidInput } from '../errors.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { endOpenRequest } from './open-request.ts'
import { happened, tellNow } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Window in which requests of the same account are forwarded only once. */
const REQUEST_WINDOW_MS = 15 * 60_000

export interface AskedForMoney {
  /** The agent that was asked; undefined: the operator. */
  readonly agent: string | undefined
  /** Whether a chat is told of it, by this request or an earlier one of the window; if not, the person has to write to somebody. */
  readonly told: boolean
  /** Whether a request of the window was declined: nobody is asked again so soon. */
  readonly declined: boolean
}

/**
 * Asks for money for this account: its agent, or the operator when it has none (rules 2.23). Forwarded once in a quarter of an hour.
 *
 * @param missing what the balance lacks
 * @throws validation_error for what is no amount
 */
export async function askForMoney(deps: Essentials, actor: Actor, missing: Micros): Promise<AskedForMoney> {
  if (!Number.isSafeInteger(missing) || missing <= 0 || missing > MAX_MICROS)
    throw InvalidInput.of('amount', 'not_an_amount')
  return deps.db.write(async (tx) => ask(deps, tx, await targetUser(tx, actor, actor.id), missing))
}

async function ask(
  deps: Essentials,
  tx: Tx,
  { id, username, agentId }: Actor,
  missing: Micros,
): Promise<AskedForMoney> {
  const now = deps.clock.now()
  const agent = agentId === null ? undefined : await usernameOf(tx, agentId)
  const last = await tx.$kysely
    .selectFrom('moneyRequests')
    .select(['id', 'status'])
    .where('accountId', '=', id)
    .where('agentId', agentId === null ? 'is' : '=', agentId)
    .where('createdAt', '>', new Date(now.getTime() - REQUEST_WINDOW_MS).toISOString())
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (last?.status === 'declined') return { agent, told: true, declined: true }
  if (last?.status === 'open') return { agent, told: await isTold(tx, last.id), declined: false }
  await endOpenRequest(tx, now, id)
  const requestId = await insertRequest(tx, { accountId: id, agentId, amount: missing, createdAt: now })
  happened(tx, { kind: 'money.wanted', userId: id, agentId, username, requestId, missing })
  await tellNow(tx)
  return { agent, told: await isTold(tx, requestId), declined: false }
}

async function usernameOf(tx: Tx, id: number): Promise<string> {
  const { username } = await tx.$kysely
    .selectFrom('accounts')
    .select('username')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return username
}

/** Whether a chat that has not blocked the bot gets a request. */
async function isTold(tx: Tx, requestId: number): Promise<boolean> {
  const told = await tx.$kysely
    .selectFrom('notices')
    .select('id')
    .where('kind', '=', 'money_wanted')
    .where('subject', '=', String(requestId))
    .where('status', '<>', 'blocked')
    .limit(1)
    .executeTakeFirst()
  return told !== undefined
}

const insertRequest = compiledInsert('moneyRequests')
