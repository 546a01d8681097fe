import type { MoneyRequestStatus } from '../../generated/prisma/client.ts'
import type { Readable, Tx } from '../database/database.ts'
import { literal } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { Essentials } from '../jobs/essentials.ts'

export interface MoneyRequest {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly amount: Micros
  readonly status: MoneyRequestStatus
}

/** Outcome of a request for money. */
export interface AnsweredRequest extends Omit<MoneyRequest, 'id' | 'status'> {
  readonly status: Exclude<MoneyRequestStatus, 'open'>
  /** False when it had been answered before, and nothing was done now. */
  readonly changed: boolean
}

interface Answer {
  readonly status: 'given' | 'declined'
  /** Number of the entry by which the money was given. */
  readonly transactionNo: string | null
}

/**
 * Answers a request for money that is open; one that is not stays as it is (rules 2.23). A refusal of `carryOut` leaves it open.
 *
 * @param agentId who is asked; null: the operator
 * @param id undefined for what cannot be one
 * @throws invalid_state for a request to somebody else, and what `carryOut` throws
 */
export async function answerRequest(
  deps: Essentials,
  agentId: number | null,
  id: number | undefined,
  carryOut: (tx: Tx, request: MoneyRequest) => Promise<Answer>,
): Promise<AnsweredRequest> {
  return deps.db.write(async (tx) => {
    const isOpen = await endRequest(tx, agentId, id, deps.clock.now())
    const request = await findRequest(tx, agentId, id)
    if (!request) throw new ServiceError('invalid_state')
    const { id: requestId, status, ...facts } = request
    if (!isOpen) return { ...facts, status: status as AnsweredRequest['status'], changed: false }
    const answer = await carryOut(tx, request)
    await tx.$kysely.updateTable('moneyRequests').set(answer).where('id', '=', requestId).execute()
    return { ...facts, status: answer.status, changed: true }
  })
}

/** Returns a request to an agent or, with null, to the operator. */
export async function findRequest(
  { $kysely }: Readable,
  agentId: number | null,
  id = 0,
): Promise<MoneyRequest | undefined> {
  return $kysely
    .selectFrom('moneyRequests as r')
    .innerJoin('accounts as u', 'u.id', 'r.accountId')
    .select(['r.id', 'r.accountId as userId', 'u.username', 'r.amount', 'r.status'])
    .where('r.id', '=', id)
    .where('r.agentId', agentId === null ? 'is' : '=', agentId)
    .executeTakeFirst()
}

/** Ends a request before it is answered, so that only one answer finds it open. */
async function endRequest(tx: Tx, agentId: number | null, id = 0, now: Date): Promise<boolean> {
  const ended = await tx.$kysely
    .updateTable('moneyRequests')
    .set({ status: 'over', endedAt: now })
    .where('id', '=', id)
    .where('agentId', agentId === null ? 'is' : '=', agentId)
    .where('status', '=', literal('open'))
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}
