import type { Actor } from '../access/actor.ts'
import { actorOf } from './authenticate.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { happened, tellNow } from '../facts/happened.ts'
import { agentOfBotIn, isShopBotChat } from '../access/chat-keys.ts'
import { endLogIns } from '../access/end-log-ins.ts'

/** Most accounts that are logged in at a chat; beyond it, the one used longest ago is logged out (rules 2.25). */
export const MOST_LOG_INS = 10
/** Precision in ms of the time at which an account acted last. */
const USED_MS = 15 * 60_000

/** An account that is logged in at a chat. */
export interface LoggedIn {
  readonly id: number
  readonly username: string
  /** Whether it is the one that acts there. */
  readonly acts: boolean
}

/**
 * Logs an account in at a chat, in the open transaction: from now on it acts there, and the others stay logged in. The other chats of
 * the account are told.
 *
 * @returns the token version of the account
 * @throws not_permitted in the bot of an agent, for an account that is not its sub-user (rules 20.5)
 */
export async function logChatIn(
  deps: Essentials,
  tx: Tx,
  chatId: number,
  accountId: number,
): Promise<number> {
  const now = deps.clock.now()
  const account = await tx.$kysely
    .selectFrom('accounts')
    .select('tokenVersion')
    .where('id', '=', accountId)
    .$if(!isShopBotChat(chatId), (own) => own.where('agentId', '=', agentOfBotIn(chatId)))
    .executeTakeFirst()
  if (!account) throw new ServiceError('not_permitted')
  const { tokenVersion } = account
  const before = await logInOf(tx, chatId, accountId)
  if (before?.accountVersion !== tokenVersion) await noteLogIn(deps, tx, chatId, accountId)
  const fresh = { accountVersion: tokenVersion, createdAt: now, usedAt: now, draft: null }
  await tx.$kysely
    .insertInto('logIns')
    .values({ chatId, accountId, ...fresh })
    .onConflict((known) => known.columns(['chatId', 'accountId']).doUpdateSet(fresh))
    .execute()
  await act(deps, tx, chatId, accountId)
  await tx.$kysely
    .deleteFrom('logIns')
    .where('chatId', '=', chatId)
    .where('accountId', 'in', ({ selectFrom }) =>
      selectFrom('logIns')
        .select('accountId')
        .where('chatId', '=', chatId)
        .orderBy('usedAt', 'desc')
        .orderBy('accountId', 'desc')
        .offset(MOST_LOG_INS)
        .limit(MOST_LOG_INS),
    )
    .execute()
  return tokenVersion
}

/** Tells of a log-in at a chat; called before the chat is logged in, so that it is not told itself. */
async function noteLogIn(deps: Essentials, tx: Tx, chatId: number, accountId: number): Promise<void> {
  const at = deps.clock.now().toISOString()
  const chat = await tx.$kysely
    .selectFrom('chats')
    .select(['personName', 'telegramName'])
    .where('id', '=', chatId)
    .executeTakeFirst()
  const { personName = null, telegramName = null } = chat ?? {}
  happened(tx, { kind: 'chat.logged_in', userId: accountId, chatId, at, personName, telegramName })
  await tellNow(tx)
}

/**
 * Lets another account that is logged in at the chat act there from now on, with the draft that it left.
 *
 * @throws token_invalid when it is not logged in (any more), user_not_found, account_disabled, account_not_activated
 */
export async function switchAccount(deps: Essentials, chatId: number, accountId: number): Promise<Actor> {
  return deps.db.write(async (tx) => {
    const actor = await loggedInAs(tx, chatId, accountId)
    const { accountId: before } = await chatIn(tx, chatId)
    if (before !== accountId) await act(deps, tx, chatId, accountId)
    return actor
  })
}

/**
 * Logs the account that acts in a chat out; the one that acted before it goes on.
 *
 * @returns who acts there now; undefined when nobody is logged in any more
 */
export function logOutChat(deps: Essentials, chatId: number): Promise<Actor | undefined> {
  return deps.db.write(async (tx) => {
    const { accountId } = await chatIn(tx, chatId)
    if (accountId !== null) await endLogIns(tx, deps.clock.now(), { chatId, accountId })
    const [next] = await findLoggedIn(tx, { chatId })
    if (!next) return undefined
    await act(deps, tx, chatId, next.id)
    return loggedInAs(tx, chatId, next.id)
  })
}

/** Logs all accounts out of a chat. */
export function logOutOfAll({ db, clock }: Essentials, chatId: number): Promise<void> {
  return db.write((tx) => endLogIns(tx, clock.now(), { chatId }))
}

/** Returns the accounts that are logged in at a chat, the one that acted last first. */
export async function accountsIn({ db }: Essentials, chatId: number): Promise<LoggedIn[]> {
  return (await findLoggedIn(db.read, { chatId })).map(({ acts, ...account }) => ({
    ...account,
    acts: Boolean(acts),
  }))
}

/** @returns the account, if it may act in the chat; throws otherwise, see {@link switchAccount} */
async function loggedInAs(tx: Tx, chatId: number, accountId: number): Promise<Actor> {
  const logIn = await logInOf(tx, chatId, accountId)
  if (!logIn) throw new ServiceError('token_invalid')
  return { ...(await actorOf(tx, accountId, logIn.accountVersion)), origin: `chat ${chatId}` }
}

function chatIn(tx: Tx, chatId: number) {
  return tx.$kysely.selectFrom('chats').select('accountId').where('id', '=', chatId).executeTakeFirstOrThrow()
}

function logInOf(tx: Tx, chatId: number, accountId: number) {
  return tx.$kysely
    .selectFrom('logIns')
    .select('accountVersion')
    .where('chatId', '=', chatId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
}

/** Makes an account that is logged in the one that acts. The draft of the one before it is kept with its log-in. */
async function act({ clock }: Essentials, tx: Tx, chatId: number, accountId: number): Promise<void> {
  const now = clock.now()
  await tx.$kysely
    .updateTable('logIns')
    .set(({ selectFrom }) => ({ draft: selectFrom('chats').select('draft').where('id', '=', chatId) }))
    .where('chatId', '=', chatId)
    .where('accountId', '<>', accountId)
    .where('accountId', '=', ({ selectFrom }) =>
      selectFrom('chats').select('accountId').where('id', '=', chatId),
    )
    .execute()
  const { draft } = await tx.$kysely
    .updateTable('logIns')
    .set({ usedAt: now })
    .where('chatId', '=', chatId)
    .where('accountId', '=', accountId)
    .returning('draft')
    .executeTakeFirstOrThrow()
  await tx.$kysely
    .updateTable('chats')
    .set({ accountId, draft, updatedAt: now })
    .where('id', '=', chatId)
    .execute()
}

/** Notes that an account acts in a chat, unless that was noted recently. */
export async function noteUse(
  { db, clock }: Essentials,
  { chatId, accountId, usedAt }: { chatId: number; accountId: number; usedAt: string },
): Promise<void> {
  const now = clock.now()
  if (now.getTime() - Date.parse(usedAt) < USED_MS) return
  await db.write((tx) => setUsed(tx, { chatId, accountId, now }))
}

const setUsed = compiled<{ chatId: number; accountId: number; now: Date }>()(
  (db, { chatId, accountId, now }) =>
    db
      .updateTable('logIns')
      .set({ usedAt: now })
      .where('chatId', '=', chatId)
      .where('accountId', '=', accountId),
)

/** Accounts whose log-in at the chat is valid. */
const findLoggedIn = compiled<{ chatId: number }>()((db, { chatId }) =>
  db
    .selectFrom('logIns as l')
    .innerJoin('accounts as a', 'a.id', 'l.accountId')
    .innerJoin('chats as c', 'c.id', 'l.chatId')
    .select(['a.id', 'a.username'])
    .select(({ eb, ref }) => eb('a.id', '=', ref('c.accountId')).as('acts'))
    .where('l.chatId', '=', chatId)
    .whereRef('l.accountVersion', '=', 'a.tokenVersion')
    .where('a.status', '=', 'active')
    .where('a.activated', '=', true)
    .orderBy('l.usedAt', 'desc')
    .orderBy('a.id'),
)
