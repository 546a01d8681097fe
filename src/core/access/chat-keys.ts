import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import type { Clock } from '../clock.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Queryable } from '../database/queries.ts'
import { FIRST_OWN_CHAT } from '../identifiers.ts'
import { FALLBACK_LANGUAGE } from '../languages.ts'

/** Most chats that are remembered, the latest ones; all others are read again. */
const REMEMBERED = 20_000

/** A private chat at Telegram: whose ids are the same in every bot. */
export interface TelegramChat {
  readonly botId: number
  readonly telegramId: number
}

interface ChatKeyDeps {
  readonly db: Database
  readonly clock: Clock
}

/** Whether a chat is one with the shop's bot, whose id is the one at Telegram (rules 20.2). */
export function isShopBotChat(chatId: number): boolean {
  return chatId < FIRST_OWN_CHAT
}

/**
 * The ids under which chats with the bots of agents are known here. One person has the same chat id at Telegram in all of them, so each
 * (bot, chat) gets a number of its own (rules 20.2).
 */
export class ChatKeys {
  readonly #deps: ChatKeyDeps
  readonly #ids = new Map<string, number>()
  readonly #chats = new Map<number, TelegramChat>()

  constructor(deps: ChatKeyDeps) {
    this.#deps = deps
  }

  /** Returns the id of a chat with an agent's bot; a new chat is stored. */
  async idOf(chat: TelegramChat): Promise<number> {
    const known = this.#ids.get(nameOf(chat))
    if (known !== undefined) return known
    const { db, clock } = this.#deps
    const [found] = await findChat(db.read, chat)
    const id = found?.id ?? (await db.write((tx) => addedChat(tx, chat, clock.now())))
    this.#remember(id, chat)
    return id
  }

  /** Returns where a chat is at Telegram; undefined for an id that no chat with an agent's bot has. */
  async chatOf(id: number): Promise<TelegramChat | undefined> {
    const known = this.#chats.get(id)
    if (known || isShopBotChat(id)) return known
    const [found] = await findById(this.#deps.db.read, { id })
    const { botId = null, telegramId = null } = found ?? {}
    if (botId === null || telegramId === null) return undefined
    const chat = { botId, telegramId }
    this.#remember(id, chat)
    return chat
  }

  #remember(id: number, chat: TelegramChat): void {
    this.#chats.set(id, chat)
    this.#ids.set(nameOf(chat), id)
    if (this.#chats.size <= REMEMBERED) return
    const [[oldest, at] = []] = this.#chats
    if (oldest === undefined || !at) return
    this.#chats.delete(oldest)
    this.#ids.delete(nameOf(at))
  }
}

function nameOf({ botId, telegramId }: TelegramChat): string {
  return `${botId} ${telegramId}`
}

const findChat = compiled<TelegramChat>()((db, { botId, telegramId }) =>
  db.selectFrom('chats').select('id').where('botId', '=', botId).where('telegramId', '=', telegramId),
)

const findById = compiled<{ id: number }>()((db, { id }) =>
  db.selectFrom('chats').select(['botId', 'telegramId']).where('id', '=', id),
)

async function addedChat(tx: Tx, chat: TelegramChat, now: Date): Promise<number> {
  const [found] = await findChat(tx, chat)
  if (found) return found.id
  const { last } = await tx.$kysely
    .selectFrom('chats')
    .select(({ fn }) => fn.max('id').as('last'))
    .where('id', '>=', FIRST_OWN_CHAT)
    .executeTakeFirstOrThrow()
  const id = Math.max(last ?? 0, FIRST_OWN_CHAT) + 1
  const row = { id, ...chat, language: FALLBACK_LANGUAGE, createdAt: now, updatedAt: now }
  await tx.$kysely.insertInto('chats').values(row).execute()
  return id
}

/** Returns the Telegram user of a private chat, whichever bot it is with. */
export async function telegramUserOf(db: Queryable, chatId: number): Promise<number> {
  if (isShopBotChat(chatId)) return chatId
  const [found] = await findById(db, { id: chatId })
  return found?.telegramId ?? chatId
}

/** Returns the agent whose bot a chat is with, as an expression. */
export function agentOfBotIn(chatId: number) {
  return expressionBuilder<DB>()
    .selectFrom('chats as c')
    .innerJoin('agentBots as b', 'b.id', 'c.botId')
    .select('b.agentId')
    .where('c.id', '=', chatId)
}
