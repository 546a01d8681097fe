import { FALLBACK_LANGUAGE } from '../languages.ts'
import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listHas, listOf, rowsOf, withObject } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { NewsKind, NoticeFacts } from './kinds.ts'
import type { About, OperatorFacts, OperatorFactKind } from '../facts/operator-facts.ts'
import { isBestChat } from './best-chat.ts'
import { chatsToldOf } from './concerns.ts'
import { queueDeliveries } from './queue-deliveries.ts'
import { SUB_USERS } from './muted.ts'

/**
 * An event and the accounts that it concerns. The subject identifies it: for example an order number, with the time of the expiry
 * where the same kind is announced again for the same order.
 */
export type News = About<NoticeFacts, NewsKind> & {
  readonly accountIds: readonly number[]
  /** Whether their agents are told, too; true by default. */
  readonly tellAgents?: boolean
  /** It moves money of the accounts: they are told also where the kind is switched off (rules 2.24). */
  readonly always?: boolean
}
/** An event that the operator is told of. */
export type OperatorFact = About<OperatorFacts, OperatorFactKind>

/**
 * Writes notices into the outbox for every chat in which one of the accounts is logged in, in the transaction of the event; agents
 * are told about their direct sub-users in digests. A person who has the account in the chats of several bots is told in one of them. Chats that have muted the kind are left out. A chat gets each kind and subject
 * once.
 */
export async function announce(
  { clock }: Pick<Essentials, 'clock'>,
  tx: Tx,
  news: readonly News[],
): Promise<void> {
  if (news.length === 0) return
  const now = clock.now()
  const rows = news.flatMap(({ accountIds, kind, subject, data = {}, tellAgents = true, always = false }) =>
    accountIds.map((accountId) => ({
      accountId,
      kind,
      subject,
      data: JSON.stringify(data),
      mute: always ? '' : kind,
      // An agent among the accounts is not told again as the agent of another one.
      ...(tellAgents && { tellAgentsBut: JSON.stringify(accountIds.map(String)) }),
    })),
  )
  await queueDeliveries(tx, now, await addNotices(tx, { rows, now }))
}

interface NewsRow {
  readonly accountId: number
  readonly kind: string
  readonly subject: string
  /** JSON. */
  readonly data: string
  /** Entry of the muted list of a chat that suppresses the notice; empty: none does. */
  readonly mute: string
  /** JSON: ids of agents that are not told; without it, no agent is told. */
  readonly tellAgentsBut?: string
}

const NEWS = {
  accountId: 'integer',
  kind: 'text',
  subject: 'text',
  data: 'text',
  mute: 'text',
  tellAgentsBut: 'text',
} as const

const addNotices = compiled<{ rows: readonly NewsRow[]; now: Date }>()((db, { rows, now }) =>
  db
    .with(
      (cte) => cte('told').materialized(),
      (query) =>
        query
          .selectFrom(rowsOf(rows, NEWS, 'n'))
          .select(['n.accountId', 'n.kind', 'n.mute', 'n.subject', 'n.data'])
          .select(({ lit }) => lit<boolean>(false).as('ofSubUser'))
          .unionAll(
            query
              .selectFrom(rowsOf(rows, NEWS, 'n'))
              .crossJoin('accounts as u')
              .whereRef('u.id', '=', 'n.accountId')
              .where('u.agentId', 'is not', null)
              .where('n.tellAgentsBut', 'is not', null)
              .where(({ ref, cast, not }) =>
                not(listHas(ref('n.tellAgentsBut'), cast<string>('u.agentId', 'text'))),
              )
              .select(({ ref }) => [
                ref('u.agentId').$notNull().as('accountId'),
                'n.kind',
                'n.kind as mute',
                'n.subject',
                withObject(ref('n.data'), 'about', { id: ref('u.id'), username: ref('u.username') }).as(
                  'data',
                ),
              ])
              .select(({ lit }) => lit<boolean>(true).as('ofSubUser')),
          ),
    )
    .insertInto('notices')
    .columns(['chatId', 'accountId', 'kind', 'subject', 'data', 'status', 'createdAt'])
    .expression(({ selectFrom }) =>
      // Cross joins fix the order for SQLite: `told` has few rows and comes first.
      selectFrom('told')
        .crossJoin('accounts as a')
        .crossJoin('logIns as l')
        .crossJoin('chats as c')
        .select(({ ref }) => [
          'c.id as chatId',
          'a.id as accountId',
          'told.kind',
          'told.subject',
          'told.data',
          firstStatus(ref('c.blocked')).as('status'),
          now.as('createdAt'),
        ])
        .whereRef('a.id', '=', 'told.accountId')
        .where('a.status', '=', 'active')
        .whereRef('l.accountId', '=', 'a.id')
        .whereRef('l.accountVersion', '=', 'a.tokenVersion')
        .whereRef('c.id', '=', 'l.chatId')
        .where(isBestChat())
        .where(({ ref, not }) => not(listHas(ref('c.muted'), ref('told.mute'))))
        .where(({ eb, ref, or, not, val }) =>
          or([eb('told.ofSubUser', '=', false), not(listHas(ref('c.muted'), val(SUB_USERS)))]),
        ),
    )
    .onConflict((told) => told.doNothing())
    .returning('id'),
)

/** Returns the initial status of a notice in a chat. */
export function firstStatus(blocked: Expression<boolean>) {
  return expressionBuilder<DB>().case().when(blocked, '=', true).then('blocked').else('pending').end()
}

/** Writes a notice into the outbox for every chat that it concerns, see {@link chatsToldOf} and {@link announce}. */
export async function announceToOperators(
  deps: Pick<Essentials, 'clock' | 'operatorChats'>,
  tx: Tx,
  news: OperatorFact,
): Promise<void> {
  const now = deps.clock.now()
  const { kind, subject } = news
  const chatIds = await chatsToldOf(deps, tx, kind)
  if (chatIds.length === 0) return
  const chats = chatIds.map((id) => ({
    id,
    language: FALLBACK_LANGUAGE,
    createdAt: now,
    updatedAt: now,
  }))
  await tx.$kysely
    .insertInto('chats')
    .values(chats)
    .onConflict((known) => known.doNothing())
    .execute()
  const data = JSON.stringify(news.data ?? {})
  const values = { chatIds, kind, subject, data, now }
  await queueDeliveries(tx, now, await addOperatorNotices(tx, values))
}

interface OperatorNoticeValues {
  readonly chatIds: readonly number[]
  readonly kind: string
  readonly subject: string
  readonly data: string
  readonly now: Date
}

const addOperatorNotices = compiled<OperatorNoticeValues>()((db, { chatIds, kind, subject, data, now }) =>
  db
    .insertInto('notices')
    .columns(['chatId', 'kind', 'subject', 'data', 'status', 'createdAt'])
    .expression(({ selectFrom }) =>
      selectFrom('chats as c')
        .select(({ ref }) => [
          'c.id as chatId',
          kind.as('kind'),
          subject.as('subject'),
          data.as('data'),
          firstStatus(ref('c.blocked')).as('status'),
          now.as('createdAt'),
        ])
        .where('c.id', 'in', listOf(chatIds)),
    )
    .onConflict((told) => told.doNothing())
    .returning('id'),
)
