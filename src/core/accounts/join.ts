import type { Actor } from '../access/actor.ts'
import { type CatalogItem, productsFor } from '../catalog/query-products.ts'
import { logChatIn } from './chat-log-ins.ts'
import type { Readable, Tx } from '../database/database.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { planTransfer } from '../ledger/plan-transfer.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import { transferToSubUser } from '../ledger/transfer.ts'
import { keyWorks } from '../access/makers.ts'
import type { Micros } from '../money.ts'
import { hashOf } from '../token-hash.ts'
import { actorOf } from './authenticate.ts'
import { insertSubUser, NewSubUser } from './create-account.ts'
import { telegramUserOf } from '../access/chat-keys.ts'
import { stateOf } from './join-links.ts'
import { NO_PASSWORD } from './passwords.ts'
import { usernameKey } from '../usernames.ts'
import { happened, tellNow } from '../facts/happened.ts'
import type { AccountDeps } from './deps.ts'

/** Accounts that one chat can register in a day. */
const PER_DAY = 3
const DAY_MS = 86_400_000

const Newcomer = NewSubUser.pick({ username: true })

export interface Invitation {
  /** Username of the agent. */
  readonly agent: string
  /** The start balance that this chat would get. */
  readonly trial: Micros
}

/**
 * Returns what a registration link offers to a chat; changes nothing.
 *
 * @returns undefined when nobody can register by it (any more)
 */
export async function joinOffer(
  deps: AccountDeps,
  chatId: number,
  token: string,
): Promise<Invitation | undefined> {
  const link = await openLink(deps.db.read, deps.clock.now(), token)
  if (!link) return undefined
  const { paid } = await trialFor(deps.db.read, link, await telegramUserOf(deps.db.read, chatId))
  return { agent: link.agent.username, trial: paid ? link.trial : 0 }
}

/** Returns what an account registered by a link could buy, at its prices; nothing where nobody can register by it (any more). */
export async function pricesByLink(deps: AccountDeps, token: string): Promise<CatalogItem[]> {
  const link = await openLink(deps.db.read, deps.clock.now(), token)
  return link ? productsFor(deps, { id: 0, agentId: link.agent.id, level: link.agent.level }) : []
}

/**
 * A newcomer registers in a private chat by an agent's link and becomes its sub-user, without a password (rules 2.21). The chat is logged
 * in; the agent is told. Where the agent cannot pay the start balance, the newcomer comes in without it. Registering again in a chat
 * that is still logged in changes nothing: the bot does so when it was killed before it answered.
 *
 * @throws join_link_not_found when nobody can register by the link (any more), username_taken, too_many_attempts, validation_error
 */
export async function joinByLink(
  deps: AccountDeps,
  chatId: number,
  { token, ...input }: { readonly token: string; readonly username: string },
): Promise<Actor> {
  deps.joinThrottle.pass(chatId)
  const { username } = parseInput(Newcomer, input)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const person = await telegramUserOf(tx, chatId)
    const before = await registeredHere(tx, { chatId, person }, username)
    if (before) return registered(tx, chatId, before, 0)
    const link = await openLink(tx, now, token)
    if (!link) throw new ServiceError('join_link_not_found')
    await refuseMany(tx, now, person)
    const row = {
      username,
      passwordHash: NO_PASSWORD,
      email: '',
      phone: '',
      remark: '',
      initial: 0,
      own: true,
    }
    const { id } = await insertSubUser(deps, tx, link.agent, row)
    const { paid, short } = await trialFor(tx, link, person)
    if (paid) await transferToSubUser(tx, now, link.agent, id, link.trial, systemRemark('initial_balance'))
    const trial = paid ? link.trial : 0
    await tx.$kysely
      .updateTable('joinLinks')
      .set(({ eb }) => ({ uses: eb('uses', '+', 1), spent: eb('spent', '+', trial) }))
      .where('id', '=', link.id)
      .execute()
    const joined = { accountId: id, linkId: link.id, chatId: person, trial, createdAt: now }
    await tx.$kysely.insertInto('joined').values(joined).execute()
    // Told before the chat is logged in, so that only the agent is notified.
    happened(tx, { kind: 'sub_user.joined', userId: id, trial, missing: short ? link.trial : 0 })
    await tellNow(tx)
    const version = await logChatIn(deps, tx, chatId, id)
    return registered(tx, chatId, { id, version }, trial)
  })
}

/** Tells that a newcomer has registered, and returns the newcomer. */
async function registered(
  tx: Tx,
  chatId: number,
  { id, version }: { readonly id: number; readonly version: number },
  trial: Micros,
): Promise<Actor> {
  const actor = { ...(await actorOf(tx, id, version)), origin: `chat ${chatId}` }
  happened(tx, { kind: 'account.registered', actor, trial })
  return actor
}

/** The account of this name that was registered in the chat, and is still logged in there. */
async function registeredHere(
  tx: Tx,
  { chatId, person }: { readonly chatId: number; readonly person: number },
  username: string,
) {
  return tx.$kysely
    .selectFrom('joined as j')
    .innerJoin('accounts as a', 'a.id', 'j.accountId')
    .innerJoin('chats as c', 'c.accountId', 'a.id')
    .select(['a.id', 'a.tokenVersion as version'])
    .where('j.chatId', '=', person)
    .where('c.id', '=', chatId)
    .where('a.usernameKey', '=', usernameKey(username))
    .executeTakeFirst()
}

type OpenLink = NonNullable<Awaited<ReturnType<typeof openLink>>>

/** Returns the link with its agent; undefined when nobody can register by it. */
async function openLink(db: Readable, now: Date, token: string) {
  const link = await db.$kysely
    .selectFrom('joinLinks as l')
    .innerJoin('accounts as g', 'g.id', 'l.agentId')
    .select(['l.id', 'l.trial', 'l.budget', 'l.spent', 'l.uses', 'l.maxUses', 'l.expiresAt', 'l.revokedAt'])
    .select(['g.id as agentId', 'g.username', 'g.level', 'g.frozen'])
    .where('l.tokenHash', '=', hashOf(token))
    .where('g.status', '=', 'active')
    .where(({ ref }) => keyWorks(ref('l.keyId'), now.toISOString()))
    .executeTakeFirst()
  if (!link || stateOf(link, now) !== 'open') return undefined
  const { agentId: id, username, level, ...rest } = link
  const agent: Actor = { id, username, role: 'agent', agentId: null, level }
  return { ...rest, agent }
}

/**
 * Whether the chat gets the link's start balance: a Telegram user gets one, within the budget of the link and the balance of the
 * agent.
 *
 * @returns `short` when only the agent's money is missing
 */
async function trialFor(
  db: Readable,
  { trial, budget, spent, frozen, agent }: OpenLink,
  person: number,
): Promise<{ readonly paid: boolean; readonly short: boolean }> {
  const none = { paid: false, short: false }
  if (trial === 0 || (budget !== null && spent + trial > budget)) return none
  const earlier = await db.$kysely
    .selectFrom('joined')
    .select('accountId')
    .where('chatId', '=', person)
    .where('trial', '>', 0)
    .executeTakeFirst()
  if (earlier) return none
  if (frozen) return { paid: false, short: true }
  try {
    await planTransfer(db, agent, trial)
    return { paid: true, short: false }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'insufficient_balance')
      return { paid: false, short: true }
    throw error
  }
}

/** @throws too_many_attempts when the Telegram user has registered too many accounts within a day */
async function refuseMany(tx: Tx, now: Date, person: number): Promise<void> {
  const recent = await tx.$kysely
    .selectFrom('joined')
    .select('createdAt')
    .where('chatId', '=', person)
    .where('createdAt', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .orderBy('createdAt')
    .execute()
  const [first] = recent
  if (!first || recent.length < PER_DAY) return
  const retryAfter = Math.ceil((Date.parse(first.createdAt) + DAY_MS - now.getTime()) / 1000)
  throw new ServiceError('too_many_attempts', { retryAfter })
}
