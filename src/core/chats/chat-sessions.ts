import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { actorOf } from '../accounts/authenticate.ts'
import { logIn } from '../accounts/log-in.ts'
import type { Language } from '../catalog/places.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'

export interface ChatSession {
  readonly chatId: number
  readonly language: Language
  /** Who is logged in; undefined when nobody is. */
  readonly actor: Actor | undefined
  /** Why a log-in that was there is over: the account was disabled, deleted or got a new password. */
  readonly ended:
    'account_disabled' | 'account_not_activated' | 'user_not_found' | 'token_invalid' | undefined
  /** The message that is the chat's one live screen. */
  readonly screenMessage: number | null
  /** What the live screen shows and changes by itself, e.g. the number of a top-up. */
  readonly follows: string | null
  /** Number of the last update that moved a dialogue on. */
  readonly lastUpdate: number
}

interface ChatRow {
  readonly language: Language
  readonly accountId: number | null
  readonly accountVersion: number | null
  readonly screenMessage: number | null
  readonly follows: string | null
  readonly lastUpdate: number
  readonly blocked: number
}

/**
 * The chat as it stands now; the account is read again each time, so a chat log-in ends as a token does (contract 2).
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
      lastUpdate: 0,
    }
  }
  if (row.blocked) await setChatBlocked(deps, chatId, false)
  const { language, accountId, accountVersion, screenMessage, follows, lastUpdate } = row
  const chat = { chatId, language, screenMessage, follows, lastUpdate }
  if (accountId === null) return { ...chat, actor: undefined, ended: undefined }
  try {
    const actor = await actorOf(deps.db.read, accountId, accountVersion ?? 0)
    return { ...chat, actor: { ...actor, origin: `chat ${chatId}` }, ended: undefined }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { ...chat, actor: undefined, ended: error.code as NonNullable<ChatSession['ended']> }
  }
}

async function findChat({ db }: CoreDeps, chatId: number): Promise<ChatRow | undefined> {
  const [row] = await selectJson<ChatRow>(
    db.read,
    Prisma.sql`SELECT json_object('language', language, 'accountId', account_id, 'accountVersion', account_version,
                                  'screenMessage', screen_message, 'follows', follows, 'lastUpdate', last_update, 'blocked', blocked) AS json
               FROM chats WHERE id = ${chatId}`,
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
  await updateChat(deps, chatId, Prisma.sql`account_id = ${id}, account_version = ${tokenVersion}`)
  return actorOf(deps.db.read, id, tokenVersion)
}

export async function logOutChat(deps: CoreDeps, chatId: number): Promise<void> {
  await updateChat(deps, chatId, Prisma.sql`account_id = NULL, account_version = NULL`)
}

export async function setChatLanguage(deps: CoreDeps, chatId: number, language: Language): Promise<void> {
  await updateChat(deps, chatId, Prisma.sql`language = ${language}`)
}

/**
 * Remembers which message is the live screen; null when there is none.
 *
 * @param follows what it shows and changes by itself
 */
export async function setChatScreen(
  deps: CoreDeps,
  chatId: number,
  messageId: number | null,
  follows: string | null = null,
): Promise<void> {
  await updateChat(deps, chatId, Prisma.sql`screen_message = ${messageId}, follows = ${follows}`)
}

/** The person blocked or unblocked the bot; what could not be told meanwhile is told after the unblocking. */
export async function setChatBlocked(deps: CoreDeps, chatId: number, blocked: boolean): Promise<void> {
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    await tx.$executeRaw`UPDATE chats SET blocked = ${blocked}, updated_at = ${now} WHERE id = ${chatId}`
    if (blocked) return
    await tx.$executeRaw`UPDATE notices SET status = 'pending' WHERE chat_id = ${chatId} AND status = 'blocked'`
    await tx.$executeRaw`
      INSERT OR IGNORE INTO jobs (kind, key, run_at, created_at)
      SELECT 'deliver_notice', CAST(id AS TEXT), ${now}, ${now} FROM notices WHERE chat_id = ${chatId} AND status = 'pending'`
  })
  if (!blocked) deps.jobs.wake()
}

async function updateChat(deps: CoreDeps, chatId: number, change: Prisma.Sql): Promise<void> {
  await deps.db.write(
    (tx) => tx.$executeRaw`UPDATE chats SET ${change}, updated_at = ${deps.clock.now()} WHERE id = ${chatId}`,
  )
}
