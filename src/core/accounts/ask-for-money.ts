import type { Actor } from '../access.ts'
import type { Tx } from '../database/database.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput } from '../errors.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { announce, announceToOperators } from '../notices/announce.ts'
import { lastAskedOfOperator, subjectOfRequest } from './asked-of-operator.ts'
import { endOpenRequest } from './open-request.ts'

/** Window in which requests of the same account are forwarded only once. */
const REQUEST_WINDOW_MS = 15 * 60_000

export interface AskedForMoney {
  /** The agent that was asked; undefined: the operator. */
  readonly agent: string | undefined
  /** Whether a chat is told of it, by this request or an earlier one of the window; if not, the person has to write to somebody. */
  readonly told: boolean
  /** The agent has declined a request of the window: it is not asked again so soon. */
  readonly declined: boolean
}

/**
 * Asks for money for this account: its agent, or the operator when it has none (rules 2.23). Forwarded once in a quarter of an hour.
 *
 * @param missing what the balance lacks
 * @throws validation_error for what is no amount
 */
export async function askForMoney(deps: CoreDeps, actor: Actor, missing: Micros): Promise<AskedForMoney> {
  if (!Number.isSafeInteger(missing) || missing <= 0 || missing > MAX_MICROS)
    throw InvalidInput.of('amount', 'not_an_amount')
  const { agentId } = actor
  const asked = await deps.db.write((tx) =>
    agentId === null ? askOperator(deps, tx, actor, missing) : askAgent(deps, tx, actor, agentId, missing),
  )
  deps.jobs.wake()
  return asked
}

async function askOperator(
  deps: CoreDeps,
  tx: Tx,
  { id, username }: Actor,
  missing: Micros,
): Promise<AskedForMoney> {
  const now = deps.clock.now()
  const last = await lastAskedOfOperator(tx, id)
  const recent =
    last && Date.parse(last.createdAt) > now.getTime() - REQUEST_WINDOW_MS ? last.status : undefined
  if (recent === 'declined') return { agent: undefined, told: true, declined: true }
  const subject = last && recent === 'open' ? last.subject : subjectOfRequest(id, now)
  await announceToOperators(deps, tx, { kind: 'money_wanted', subject, data: { username, missing } })
  return { agent: undefined, told: await isTold(tx, subject), declined: false }
}

async function askAgent(
  deps: CoreDeps,
  tx: Tx,
  { id, username }: Actor,
  agentId: number,
  missing: Micros,
): Promise<AskedForMoney> {
  const now = deps.clock.now()
  const { username: agent } = await tx.$kysely
    .selectFrom('accounts')
    .select('username')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
  const last = await tx.$kysely
    .selectFrom('moneyRequests')
    .select(['id', 'status'])
    .where('accountId', '=', id)
    .where('agentId', '=', agentId)
    .where('createdAt', '>', new Date(now.getTime() - REQUEST_WINDOW_MS).toISOString())
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (last?.status === 'declined') return { agent, told: true, declined: true }
  if (last?.status === 'open') return { agent, told: await isTold(tx, String(last.id)), declined: false }
  await endOpenRequest(tx, now, id)
  const request = { accountId: id, agentId, amount: missing, createdAt: now }
  const requestId = await insertRequest(tx, request)
  const data = { userId: id, username, missing, requestId }
  await announce(deps, tx, [
    { accountIds: [agentId], kind: 'money_wanted', subject: String(requestId), data },
  ])
  return { agent, told: await isTold(tx, String(requestId)), declined: false }
}

/** Whether a chat that has not blocked the bot gets a request. */
async function isTold(tx: Tx, subject: string): Promise<boolean> {
  const told = await tx.$kysely
    .selectFrom('notices')
    .select('id')
    .where('kind', '=', 'money_wanted')
    .where('subject', '=', subject)
    .where('status', '<>', 'blocked')
    .limit(1)
    .executeTakeFirst()
  return told !== undefined
}

const insertRequest = compiledInsert('moneyRequests')
