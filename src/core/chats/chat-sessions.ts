import type { Updateable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import { actorOf } from '../accounts/authenticate.ts'
import { logIn } from '../accounts/log-in.ts'
import type { Language } from '../languages.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { readLanguage } from '../database/read-language.ts'
import { ServiceError } from '../errors.ts'
import type { ChatLocale } from '../chat-locale.ts'
import { type Refreshed, followedText } from './followed.ts'
import { queueDeliveries } from '../notices/queue-deliveries.ts'
import type { ProxyFormat } from '../proxy-formats.ts'
import { logChatIn, noteUse } from '../accounts/chat-log-ins.ts'
import type { AccountDeps } from '../accounts/deps.ts'

/** What is stored of the live screen beside its message id; the bot defines the values. */
export interface ScreenMemory {
  /** The subject whose changes refresh the screen, e.g. the number of a top-up. */
  readonly follows: string | null
}

export interface ChatSession extends ScreenMemory, ChatLocale {
  /** The account that acts here; undefined when nobody is logged in. */
  readonly actor: Actor | undefined
  /** Why an earlier log-in has ended: the account was disabled, deleted or got a new password. */
  readonly ended:
    | 'account_disabled'
    | 'account_not_activated'
    | 'user_not_found'
    | 'token_invalid'
    | undefined
  /** The message that is the chat's one live screen. */
  readonly screenMessage: number | null
  /** Id of the last update that advanced a dialogue. */
  readonly lastUpdate: number
  /** The format in which the chat gets its proxies. */
  readonly proxyFormat: ProxyFormat
  /** The unfinished dialogue, as the bot stored it. */
  readonly dialogue: string | null
}

/** How a chat is opened. */
interface Opened {
  /** Undefined where it is not known, as in a group. */
  readonly person?: ChatPerson | undefined
  /** The agent whose bot it is; undefined for the shop's. */
  readonly agentId?: number | undefined
}

/** The person of a private chat, as Telegram describes them. */
export interface ChatPerson {
  /** The username at Telegram in lower case; null for none. */
  readonly telegramName: string | null
  /** First and last name. */
  readonly personName: string | null
}

const UNKNOWN: ChatPerson = { telegramName: null, personName: null }

/**
 * Returns the current state of a chat; the account is read again each time, so a chat log-in ends as a token does (rules 2.3). Also stores
 * the chat as unblocked, and the names of its person, when they have changed. In the bot of an agent only its sub-users act (rules 20.5).
 *
 * @param languageHint language of a new chat, also of one to which only the shop has written
 */
export async function chatSession(
  deps: AccountDeps,
  chatId: number,
  languageHint: Language,
  { person, agentId }: Opened = {},
): Promise<ChatSession> {
  const { read } = deps.db
  const [row] = await findChat(read, { chatId })
  if (!row) {
    const now = deps.clock.now()
    const names = person ?? UNKNOWN
    const chat = { id: chatId, language: languageHint, ...names, createdAt: now, updatedAt: now }
    await deps.db.write((tx) => addChat(tx, chat), 'one_statement')
    return {
      chatId,
      language: languageHint,
      actor: undefined,
      ended: undefined,
      screenMessage: null,
      follows: null,
      lastUpdate: 0,
      proxyFormat: 'colon',
      timeZone: null,
      dialogue: null,
    }
  }
  const { accountId, accountVersion, usedAt, blocked, telegramName, personName, ...kept } = row
  if (blocked) await setChatBlocked(deps, chatId, false)
  // Without a name and a screen, only the shop has written in the chat so far.
  const language = personName === null && kept.screenMessage === null ? languageHint : kept.language
  const known = person ?? { telegramName, personName }
  if (known.telegramName !== telegramName || known.personName !== personName || language !== kept.language)
    await updateChat(deps, chatId, { ...known, language })
  const chat = { chatId, ...kept, language, proxyFormat: kept.proxyFormat as ProxyFormat }
  if (accountId === null || accountVersion === null || usedAt === null)
    return { ...chat, actor: undefined, ended: undefined }
  try {
    const actor = await actorOf(read, accountId, accountVersion)
    if (agentId !== undefined && actor.agentId !== agentId) throw new ServiceError('user_not_found')
    await noteUse(deps, { chatId, accountId, usedAt })
    return { ...chat, actor: { ...actor, origin: `chat ${chatId}` }, ended: undefined }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { ...chat, actor: undefined, ended: error.code as NonNullable<ChatSession['ended']> }
  }
}

interface NewChat extends ChatPerson {
  readonly id: number
  readonly language: Language
  readonly createdAt: Date
  readonly updatedAt: Date
}

const addChat = compiled<NewChat>()((db, { id, language, telegramName, personName, createdAt, updatedAt }) =>
  db
    .insertInto('chats')
    .values({ id, language, telegramName, personName, createdAt, updatedAt })
    .onConflict((known) => known.doNothing()),
)

/** All that the handling of an update needs to know of the chat. */
const findChat = compiled<{ chatId: number }>()((db, { chatId }) =>
  db
    .selectFrom('chats as c')
    .leftJoin('dialogues as d', (on) => on.on('d.key', '=', ({ cast }) => cast<string>('c.id', 'text')))
    .leftJoin('logIns as l', (on) =>
      on.onRef('l.chatId', '=', 'c.id').onRef('l.accountId', '=', 'c.accountId'),
    )
    .select(({ ref }) => readLanguage(ref('c.language')).as('language'))
    .select(['c.accountId', 'l.accountVersion', 'l.usedAt', 'c.screenMessage', 'c.follows'])
    .select(['c.lastUpdate', 'c.proxyFormat', 'c.timeZone', 'c.blocked', 'c.telegramName', 'c.personName'])
    .select('d.value as dialogue')
    .where('c.id', '=', chatId),
)

/**
 * Logs an account in at a chat.
 *
 * @throws invalid_credentials, account_disabled, account_not_activated, too_many_attempts, unavailable, token_invalid (the account has got
 *   another password meanwhile)
 */
export async function logInChat(
  deps: AccountDeps,
  chatId: number,
  credentials: { username: string; password: string },
): Promise<Actor> {
  const origin = `chat ${chatId}`
  const { id, tokenVersion } = await logIn(deps, { ...credentials, address: origin })
  const actor = await deps.db.write(async (tx) => {
    const proved = await actorOf(tx, id, tokenVersion)
    await logChatIn(deps, tx, chatId, id)
    return proved
  })
  return { ...actor, origin }
}

export async function setChatLanguage(deps: AccountDeps, chatId: number, language: Language): Promise<void> {
  await updateChat(deps, chatId, { language })
}

/** Whether the message is still the live screen, and still follows the same subject. */
export async function isFollowing(
  { db }: AccountDeps,
  chatId: number,
  { messageId, followed }: { readonly messageId: number; readonly followed: Refreshed },
): Promise<boolean> {
  return (await findFollowing(db.read, { chatId, messageId, follows: followedText(followed) })).length > 0
}

const findFollowing = compiled<{ chatId: number; messageId: number; follows: string }>()(
  (db, { chatId, messageId, follows }) =>
    db
      .selectFrom('chats')
      .select('id')
      .where('id', '=', chatId)
      .where('screenMessage', '=', messageId)
      .where('follows', '=', follows),
)

/**
 * Records that the person blocked or unblocked the bot. Notices that were held back are sent after the unblocking; old broadcasts
 * are not.
 */
export async function setChatBlocked(deps: AccountDeps, chatId: number, blocked: boolean): Promise<void> {
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    if (!blocked) return unblockChat(tx, now, chatId)
    await tx.$kysely.updateTable('chats').set({ blocked, updatedAt: now }).where('id', '=', chatId).execute()
  })
}

/** Marks a chat as unblocked, in the open transaction, and queues the notices that were held back. */
export async function unblockChat(tx: Tx, now: Date, chatId: number): Promise<void> {
  const change = { blocked: false, updatedAt: now }
  await tx.$kysely.updateTable('chats').set(change).where('id', '=', chatId).execute()
  const kept = await tx.$kysely
    .updateTable('notices')
    .set({ status: 'pending' })
    .where('chatId', '=', chatId)
    .where('kind', '<>', 'broadcast')
    .where('status', '=', 'blocked')
    .returning('id')
    .execute()
  await queueDeliveries(tx, now, kept)
}

async function updateChat(deps: AccountDeps, chatId: number, change: Updateable<DB['chats']>): Promise<void> {
  const changed = { ...change, updatedAt: deps.clock.now() }
  await deps.db.write(
    (tx) => tx.$kysely.updateTable('chats').set(changed).where('id', '=', chatId).execute(),
    'one_statement',
  )
}
