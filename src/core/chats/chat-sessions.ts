import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { type Account, ACCOUNT_JSON, actorOf, checked } from '../accounts/authenticate.ts'
import { logIn } from '../accounts/log-in.ts'
import type { Language } from '../catalog/places.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import { queueDeliveries } from '../notices/queue-deliveries.ts'
import type { ProxyFormat } from '../orders/proxy-formats.ts'

/** What the bot remembers of the live screen, beside which message it is; in the bot's own words. */
export interface ScreenMemory {
  /** What it shows and changes by itself, e.g. the number of a top-up. */
  readonly follows: string | null
  /** Which question a typed text answers there. */
  readonly takes: string | null
}

export interface ChatSession extends ScreenMemory {
  readonly chatId: number
  readonly language: Language
  /** Who is logged in; undefined when nobody is. */
  readonly actor: Actor | undefined
  /** Why a log-in that was there is over: the account was disabled, deleted or got a new password. */
  readonly ended:
    'account_disabled' | 'account_not_activated' | 'user_not_found' | 'token_invalid' | undefined
  /** The message that is the chat's one live screen. */
  readonly screenMessage: number | null
  /** Number of the last update that moved a dialogue on. */
  readonly lastUpdate: number
  /** In which form the chat wants its proxies written. */
  readonly proxyFormat: ProxyFormat
  /** The unfinished dialogue, as the bot stored it. */
  readonly dialogue: string | null
}

interface ChatRow extends Omit<ChatSession, 'chatId' | 'actor' | 'ended'> {
  /** Who has logged in, and the account's token version then; null when nobody has. */
  readonly account: Account | null
  readonly accountVersion: number | null
  readonly blocked: number
}

/**
 * The chat as it stands now; the account is read again each time, so a chat log-in ends as a token does (rules 2.3).
 * A chat that writes is not blocked any more, whatever was noted.
 *
 * @param languageHint language of a chat that is seen for the first time
 */
export async function chatSession(
  deps: CoreDeps,
  chatId: number,
  languageHint: Language,
): Promise<ChatSession> {
  const row = await findChat(deps, chatId)
  if (!row) {
    const now = deps.clock.now()
    await deps.db.write(
      (tx) => tx.$executeRaw`
        INSERT OR IGNORE INTO chats (id, language, created_at, updated_at) VALUES (${chatId}, ${languageHint}, ${now}, ${now})`,
    )
    return {
      chatId,
      language: languageHint,
      actor: undefined,
      ended: undefined,
      screenMessage: null,
      follows: null,
      takes: null,
      lastUpdate: 0,
      proxyFormat: 'colon',
      dialogue: null,
    }
  }
  if (row.blocked) await setChatBlocked(deps, chatId, false)
  const { account, accountVersion, blocked: _blocked, ...kept } = row
  const chat = { chatId, ...kept }
  if (!account) return { ...chat, actor: undefined, ended: undefined }
  try {
    const actor = checked(account, accountVersion ?? 0)
    return { ...chat, actor: { ...actor, origin: `chat ${chatId}` }, ended: undefined }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { ...chat, actor: undefined, ended: error.code as NonNullable<ChatSession['ended']> }
  }
}

/** All that an update of the chat needs to know before it is handled, in one statement. */
async function findChat({ db }: CoreDeps, chatId: number): Promise<ChatRow | undefined> {
  const [row] = await selectJson<ChatRow>(
    db.read,
    Prisma.sql`
      SELECT json_object('language', c.language, 'account', json(iif(a.id IS NULL, NULL, ${ACCOUNT_JSON})),
                         'accountVersion', c.account_version, 'screenMessage', c.screen_message, 'follows', c.follows,
                         'takes', c.takes, 'lastUpdate', c.last_update, 'proxyFormat', c.proxy_format, 'blocked', c.blocked, 'dialogue', d.value) AS json
      FROM chats c LEFT JOIN accounts a ON a.id = c.account_id LEFT JOIN accounts g ON g.id = a.agent_id
                   LEFT JOIN dialogues d ON d.key = CAST(c.id AS TEXT)
      WHERE c.id = ${chatId}`,
  )
  return row
}

/**
 * Logs an account in at a chat.
 *
 * @throws invalid_credentials, account_disabled, account_not_activated, too_many_attempts, unavailable
 */
export async function logInChat(
  deps: CoreDeps,
  chatId: number,
  credentials: { username: string; password: string },
): Promise<Actor> {
  const { id, tokenVersion } = await logIn(deps, { ...credentials, address: `chat ${chatId}` })
  await updateChat(
    deps,
    chatId,
    Prisma.sql`account_id = ${id}, account_version = ${tokenVersion}, draft = NULL`,
  )
  return actorOf(deps.db.read, id, tokenVersion)
}

export async function logOutChat(deps: CoreDeps, chatId: number): Promise<void> {
  await updateChat(deps, chatId, Prisma.sql`account_id = NULL, account_version = NULL, draft = NULL`)
}

export async function setChatLanguage(deps: CoreDeps, chatId: number, language: Language): Promise<void> {
  await updateChat(deps, chatId, Prisma.sql`language = ${language}`)
}

/** Remembers which message is the live screen; null when there is none. */
export async function setChatScreen(
  deps: CoreDeps,
  chatId: number,
  messageId: number | null,
  { follows, takes }: ScreenMemory = { follows: null, takes: null },
): Promise<void> {
  await updateChat(
    deps,
    chatId,
    Prisma.sql`screen_message = ${messageId}, follows = ${follows}, takes = ${takes}`,
  )
}

/**
 * The person blocked or unblocked the bot; what could not be told meanwhile is told after the unblocking. Old broadcasts are
 * not: they were for everybody and for then.
 */
export async function setChatBlocked(deps: CoreDeps, chatId: number, blocked: boolean): Promise<void> {
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    await tx.$executeRaw`UPDATE chats SET blocked = ${blocked}, updated_at = ${now} WHERE id = ${chatId}`
    if (blocked) return
    const kept = Prisma.sql`chat_id = ${chatId} AND kind <> 'broadcast'`
    await tx.$executeRaw`UPDATE notices SET status = 'pending' WHERE ${kept} AND status = 'blocked'`
    await queueDeliveries(tx, now, kept)
  })
  if (!blocked) deps.jobs.wake()
}

async function updateChat(deps: CoreDeps, chatId: number, change: Prisma.Sql): Promise<void> {
  await deps.db.write(
    (tx) => tx.$executeRaw`UPDATE chats SET ${change}, updated_at = ${deps.clock.now()} WHERE id = ${chatId}`,
  )
}
