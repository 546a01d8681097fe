import { expressionBuilder } from 'kysely'
import type { DB, InstanceStatus, NoticeStatus } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import { accountAsItIs, actorOf } from '../accounts/authenticate.ts'
import type { ChatLocale } from '../chat-locale.ts'
import type { ProxyFormat } from '../proxy-formats.ts'
import { secondsSince } from '../clock.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { Queryable } from '../database/queries.ts'
import { ALWAYS, jsonText, listOf, literal, parsed } from '../database/dialect.ts'
import { readLanguage } from '../database/read-language.ts'
import type { Entity } from './content.ts'
import { ServiceError } from '../errors.ts'
import type { NoticeKind } from './kinds.ts'
import type { OperatorFact, OperatorFactKind } from '../facts/operator-facts.ts'
import type { DeliveryResult, SubUser } from './messenger.ts'
import { withNames } from './old-names.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { RetryLater } from '../jobs/job-queue.ts'

/** A pending notice, with the chat as it is now. */
export interface WaitingNotice extends ChatLocale {
  readonly id: number
  readonly proxyFormat: ProxyFormat
  readonly kind: NoticeKind | OperatorFactKind
  readonly subject: string
  readonly facts: object & { readonly about?: SubUser }
  /** The account that is told; null for the operator. */
  readonly accountId: number | null
  readonly version: number | null
  /** The chat is logged in to other accounts, too. */
  readonly amongOthers: boolean
  /** False when the fact is no longer true. */
  readonly stillValid: boolean
}

/** Size and age of the outbox. */
export interface Outbox {
  readonly pending: number
  /** Age of the oldest pending notice, in seconds. */
  readonly oldestSeconds: number
}

/** Counts the pending notices. */
export async function outbox({ db, clock }: Essentials): Promise<Outbox> {
  const { pending, oldest } = await db.read.$kysely
    // Chats first: by the index on chat and status the pending notices are found among many old ones.
    .selectFrom('chats as c')
    .crossJoin('notices as n')
    .whereRef('n.chatId', '=', 'c.id')
    .where('n.status', '=', literal('pending'))
    .select(({ fn }) => [fn.countAll<number>().as('pending'), fn.min('n.createdAt').as('oldest')])
    .executeTakeFirstOrThrow()
  return { pending, oldestSeconds: oldest ? secondsSince(clock, oldest) : 0 }
}

/** Reads the pending ones of these notices, oldest first. */
export async function waitingNotices({ db }: Essentials, ids: readonly number[]): Promise<WaitingNotice[]> {
  const rows = await findWaiting(db.read, { ids })
  return rows.map(({ text, entities, photo, sender, accounts, stillTrue, ...row }) => ({
    ...row,
    facts: text === null ? withNames(row.facts) : { text, entities: entities ?? [], photo, sender },
    amongOthers: accounts > 1,
    stillValid: Boolean(stillTrue),
  }))
}

const findWaiting = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('notices as n')
    .innerJoin('chats as c', 'c.id', 'n.chatId')
    .leftJoin('broadcasts as b', (on) =>
      on.on('b.id', '=', ({ eb, cast }) =>
        eb.case().when('n.kind', '=', 'broadcast').then(cast<number>('n.subject', 'integer')).end(),
      ),
    )
    .leftJoin('accounts as s', 's.id', 'b.senderId')
    .select(['n.id', 'n.chatId', 'c.timeZone', 'c.proxyFormat', 'n.kind', 'n.subject'])
    .leftJoin('logIns as l', (on) =>
      on.onRef('l.chatId', '=', 'n.chatId').onRef('l.accountId', '=', 'n.accountId'),
    )
    .select(['n.accountId', 'l.accountVersion as version', 'b.text', 'b.photo', 's.username as sender'])
    .select(({ ref, selectFrom }) => [
      parsed<WaitingNotice['facts']>(ref('n.data')).as('facts'),
      parsed<Entity[]>(ref('b.entities')).as('entities'),
      selectFrom('logIns')
        .select(({ fn }) => fn.countAll<number>().as('accounts'))
        .whereRef('chatId', '=', 'n.chatId')
        .$asScalar()
        .$notNull()
        .as('accounts'),
      readLanguage(ref('c.language')).as('language'),
      stillTrue().as('stillTrue'),
    ])
    .where('n.id', 'in', listOf(ids))
    .where('n.status', '=', 'pending')
    .orderBy('n.id')
    .$narrowType<Pick<WaitingNotice, 'kind' | 'proxyFormat'>>(),
)

/** Condition on notices `n`: the reported fact is still true. */
function stillTrue() {
  const { eb, ref, exists, selectFrom } = expressionBuilder<DB & { n: DB['notices'] }, 'n'>()
  const proxies = (status: InstanceStatus) =>
    selectFrom('staticOrders as o')
      .innerJoin('instances as i', 'i.orderId', 'o.id')
      .select('i.id')
      .where('o.orderNo', '=', jsonText(ref('n.data'), 'orderNo'))
      .where('i.status', '=', status)
  const waiting = selectFrom('staticOrders as o')
    .select('o.id')
    .whereRef('o.orderNo', '=', 'n.subject')
    .where('o.status', '=', 'processing')
  const expiring = proxies('active').where('i.expireTime', '=', jsonText(ref('n.data'), 'expireTime'))
  return eb
    .case()
    .when('n.kind', 'in', ['expiring_72h', 'expiring_24h'])
    .then(exists(expiring))
    .when('n.kind', '=', 'expired')
    .then(exists(proxies('expired')))
    .when('n.kind', '=', 'order_delayed')
    .then(exists(waiting))
    .else(ALWAYS)
    .end()
}

/**
 * Returns the actor that is told; undefined when the log-in of that chat has ended, except for `agent_changed`, which tells that it
 * has.
 */
export async function recipientOf(
  { db }: Essentials,
  { accountId, version, kind }: Pick<WaitingNotice, 'accountId' | 'version' | 'kind'>,
): Promise<Actor | undefined> {
  if (accountId === null) return undefined
  try {
    if (kind === 'agent_changed') return await accountAsItIs(db.read, accountId)
    if (version === null) return undefined
    return await actorOf(db.read, accountId, version)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** For what was held back just as the bot of its chat began to work. */
const COMES: RetryLater = {
  retryAfterMs: 2_000,
  reason: 'the bot of the chat is about to run',
  waiting: true,
}

/**
 * Returns when to try again what was held back although the bot of the chat is to run, as it does not run yet, or does again; undefined
 * when the bot stands: what was held back is sent when it works again.
 */
export async function unlessItStands(db: Queryable, chatId: number): Promise<RetryLater | undefined> {
  const [works] = await findWorking(db, { chatId })
  return works && COMES
}

const findWorking = compiled<{ chatId: number }>()((db, { chatId }) =>
  db
    .selectFrom('chats as c')
    .innerJoin('agentBots as b', 'b.id', 'c.botId')
    .innerJoin('accounts as a', 'a.id', 'b.agentId')
    .select('b.id')
    .where('c.id', '=', chatId)
    .where('b.state', '=', 'active')
    .where('a.status', '=', 'active'),
)

/**
 * Records the outcome of the delivery of notices of a kind to one chat, in the open transaction; also for notices that were cancelled
 * while they were being sent. The operator is told of one that Telegram refuses. A notice for a chat of the operator that cannot be
 * written to is announced again: others may be told in its place, see `chatsToldOf` (rules 14.8, 18.10).
 */
export async function settle(
  deps: Essentials,
  tx: Tx,
  notices: readonly WaitingNotice[],
  result: Exclude<DeliveryResult, { status: 'later' }>,
): Promise<void> {
  const [first] = notices
  if (!first) return
  const { chatId, kind, subject, facts } = first
  const now = deps.clock.now()
  const { status } = result
  await setStatus(tx, {
    ids: notices.map(({ id }) => id),
    status: status === 'refused' ? 'void' : status === 'held' ? 'blocked' : status,
    sentAt: status === 'sent' ? now : null,
  })
  // The refusal of a `message_refused` is not told, as that could be refused again without end.
  if (status === 'refused' && kind !== 'message_refused')
    happened(tx, {
      kind: 'message_refused',
      subject: `${kind} ${subject}`,
      data: { chatId, kind, subject, reason: result.reason },
    })
  if (status !== 'blocked') return
  await tx.$kysely
    .updateTable('chats')
    .set({ blocked: true, updatedAt: now })
    .where('id', '=', chatId)
    .execute()
  // The facts were written for this kind; from the database they come without their type.
  if (first.accountId === null) happened(tx, { kind, subject, data: facts } as unknown as OperatorFact)
}

const setStatus = compiled<{ ids: readonly number[]; status: NoticeStatus; sentAt: Date | null }>()(
  (db, { ids, status, sentAt }) =>
    db
      .updateTable('notices')
      .set({ status, sentAt })
      .where('id', 'in', listOf(ids))
      .where('status', 'in', ['pending', 'void']),
)
