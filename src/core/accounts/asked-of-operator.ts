import type { MoneyRequestStatus } from '../../generated/prisma/client.ts'
import type { Readable, Tx } from '../database/database.ts'
import { literal } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import { numberFor } from '../ids.ts'
import type { Micros } from '../money.ts'
import { announce } from '../notices/announce.ts'
import type { OperatorNoticeFacts } from '../notices/kinds.ts'
import { accountNamed } from './account-named.ts'
import { adjustByOperator, sourceOf } from './adjust-balance.ts'
import type { AnsweredRequest } from './money-requests.ts'

type Facts = OperatorNoticeFacts['money_wanted']

/** A request for money to the operator: what its chats were told is what is known of it. */
export interface AskedOfOperator {
  /** By which it is found: the account, and when it asked. */
  readonly subject: string
  readonly userId: number
  readonly username: string
  readonly amount: Micros
  readonly status: MoneyRequestStatus
  readonly createdAt: string
}

/** Of a request of an account now; each has another one. */
export function subjectOfRequest(accountId: number, now: Date): string {
  return `${accountId} ${now.getTime()}`
}

/** The last request of an account to the operator. */
export async function lastAskedOfOperator(
  db: Readable,
  accountId: number,
): Promise<AskedOfOperator | undefined> {
  const last = await ofAccount(db, accountId).select('subject').executeTakeFirst()
  return last && findAskedOfOperator(db, last.subject)
}

/**
 * A request for money to the operator. It is over when the account has asked again, has got money from the operator since, or was
 * deleted (rules 2.23).
 */
export async function findAskedOfOperator(
  db: Readable,
  subject: string,
): Promise<AskedOfOperator | undefined> {
  const told = await db.$kysely
    .selectFrom('notices')
    .select(['data', 'createdAt'])
    .where('kind', '=', literal('money_wanted'))
    .where('subject', '=', subject)
    .where('accountId', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!told) return undefined
  const userId = Number(subject.split(' ')[0])
  const { username, missing: amount, declined = false } = JSON.parse(told.data) as Facts
  const { createdAt } = told
  const request = { subject, userId, username, amount, createdAt }
  if (declined) return { ...request, status: 'declined' }
  const given = await db.$kysely
    .selectFrom('ledgerEntries')
    .select('source')
    .where('accountId', '=', userId)
    .where('type', '=', 'adjust')
    .where('operatorId', 'is', null)
    .where('amount', '>', 0)
    .where('createdAt', '>=', createdAt)
    .orderBy('id')
    .execute()
  if (given.some(({ source }) => source === sourceOfGift(subject))) return { ...request, status: 'given' }
  const { status } = await db.$kysely
    .selectFrom('accounts')
    .select('status')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const last = await ofAccount(db, userId).select('subject').executeTakeFirst()
  const over = given.length > 0 || status === 'deleted' || last?.subject !== subject
  return { ...request, status: over ? 'over' : 'open' }
}

/**
 * The operator gives an account what it has asked for (rules 2.23): once, however often it is called.
 *
 * @throws invalid_state for what is no request, account_disabled
 */
export async function giveAskedOfOperator(deps: CoreDeps, subject: string): Promise<AnsweredRequest> {
  return answer(deps, subject, async (tx, { username, amount }) => {
    const account = await accountNamed(tx, username)
    if (account.status === 'disabled') throw new ServiceError('account_disabled')
    await adjustByOperator(deps, tx, account, { amount, remark: null, source: sourceOfGift(subject) })
    return 'given'
  })
}

/**
 * The operator declines a request for money, and the account is told (rules 2.23).
 *
 * @throws invalid_state for what is no request
 */
export async function declineAskedOfOperator(deps: CoreDeps, subject: string): Promise<AnsweredRequest> {
  return answer(deps, subject, async (tx, { userId, username, amount }) => {
    const facts: Facts = { username, missing: amount, declined: true }
    await tx.$kysely
      .updateTable('notices')
      .set({ data: JSON.stringify(facts) })
      .where('kind', '=', literal('money_wanted'))
      .where('subject', '=', subject)
      .execute()
    await announce(deps, tx, [
      {
        accountIds: [userId],
        kind: 'money_declined',
        subject,
        data: { agent: null, missing: amount },
        tellAgents: false,
      },
    ])
    return 'declined'
  })
}

/** Answers a request that is open still; one that is not stays as it is. */
async function answer(
  deps: CoreDeps,
  subject: string,
  carryOut: (tx: Tx, request: AskedOfOperator) => Promise<'given' | 'declined'>,
): Promise<AnsweredRequest> {
  const answered = await deps.db.write(async (tx) => {
    const request = await findAskedOfOperator(tx, subject)
    if (!request) throw new ServiceError('invalid_state')
    const { userId, username, amount, status: before } = request
    const status = before === 'open' ? await carryOut(tx, request) : before
    return { userId, username, amount, status, changed: before === 'open' }
  })
  deps.jobs.wake()
  return answered
}

const sourceOfGift = (subject: string): string => sourceOf(numberFor('A', `asked ${subject}`))

/** What the operator was told about requests of an account, newest first. */
function ofAccount(db: Readable, accountId: number) {
  return db.$kysely
    .selectFrom('notices')
    .where('kind', '=', literal('money_wanted'))
    .where('subject', '>=', `${accountId} `)
    .where('subject', '<', `${accountId}!`)
    .where('accountId', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
}
