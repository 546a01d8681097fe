import { SqliteDatabase } from '../../core/database/driver.ts'
import type { Chat, StoredMessage } from './chat.ts'
import type { StoredFile } from './files.ts'
import type { BotAbout, BotCommandEntry } from './types.ts'

/** Messages that are kept of a chat, newest first, and bytes of the files of all chats. */
const LIMITS = { messages: 300, fileBytes: 50_000_000 }
/** Version of the tables; what another version wrote is dropped. */
const VERSION = 2

/** The store in which bots and their chats outlive the process. */
export type ChatStore = ReturnType<typeof openChatStore>
/** The part of it that belongs to one bot. */
export type BotStore = ReturnType<ChatStore['ofBot']>

/**
 * Keeps the bots and their chats in a SQLite file of their own. A kill of the process loses nothing, a power cut perhaps the last changes.
 *
 * @param path the file; made when it is missing
 * @param limits of what is kept
 */
export function openChatStore(path: string, limits = LIMITS) {
  const connection = new SqliteDatabase(path)
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = NORMAL')
  // Overwrites deleted content, which may be a password.
  connection.pragma('secure_delete = ON')
  if (connection.pragma('user_version', { simple: true }) !== VERSION) {
    connection.exec(`
      DROP TABLE IF EXISTS chats; DROP TABLE IF EXISTS messages; DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS commands;
      DROP TABLE IF EXISTS bots;
      CREATE TABLE bots (id INTEGER PRIMARY KEY, about TEXT NOT NULL);
      CREATE TABLE chats (bot INTEGER, id INTEGER, state TEXT NOT NULL, PRIMARY KEY (bot, id));
      CREATE TABLE messages (bot INTEGER, id INTEGER, chat_id INTEGER NOT NULL, message TEXT NOT NULL, file_id TEXT,
                             PRIMARY KEY (bot, id));
      CREATE TABLE files (id TEXT PRIMARY KEY, file TEXT NOT NULL, content BLOB NOT NULL);
      CREATE TABLE commands (bot INTEGER, list_key TEXT, list TEXT NOT NULL, PRIMARY KEY (bot, list_key));
      PRAGMA user_version = ${VERSION}`)
  }
  const saveBot = connection.prepare('INSERT OR REPLACE INTO bots VALUES (?, ?)')
  const saveChat = connection.prepare('INSERT OR REPLACE INTO chats VALUES (?, ?, ?)')
  const saveMessage = connection.prepare('INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?, ?)')
  const saveFile = connection.prepare('INSERT OR IGNORE INTO files VALUES (?, ?, ?)')
  const removeMessage = connection.prepare('DELETE FROM messages WHERE bot = ? AND id = ?')
  const removeOldest = connection.prepare(`
    DELETE FROM messages WHERE bot = @bot AND chat_id = @chat AND id <= (
      SELECT id FROM messages WHERE bot = @bot AND chat_id = @chat
      ORDER BY id DESC LIMIT 1 OFFSET ${limits.messages})`)
  // Message ids begin at the time of a start, which makes those of all bots comparable.
  const removeLargeFiles = connection.prepare(`
    DELETE FROM messages WHERE (bot, id) IN (
      SELECT bot, id FROM (SELECT m.bot, m.id, sum(length(f.content)) OVER (ORDER BY m.id DESC, m.bot) AS bytes
                           FROM messages m JOIN files f ON f.id = m.file_id)
      WHERE bytes > ${limits.fileBytes})`)
  const removeUnusedFiles = connection.prepare(
    'DELETE FROM files WHERE id NOT IN (SELECT file_id FROM messages WHERE file_id IS NOT NULL)',
  )
  const saveCommands = connection.prepare('INSERT OR REPLACE INTO commands VALUES (?, ?, ?)')

  const keep = connection.transaction((bot: number, { file, ...message }: StoredMessage) => {
    const { messageId, chatId } = message
    if (file) {
      const { content, ...about } = file
      saveFile.run(file.fileId, JSON.stringify(about), content)
    }
    saveMessage.run(bot, messageId, chatId, JSON.stringify(message), file?.fileId ?? null)
    removeOldest.run({ bot, chat: chatId })
    if (file) removeLargeFiles.run()
    removeUnusedFiles.run()
  })

  function load(bot: number): Chat[] {
    const files = new Map(
      (
        connection.prepare('SELECT file, content FROM files').all() as { file: string; content: Buffer }[]
      ).map(({ file, content }) => {
        const stored = { ...(JSON.parse(file) as Omit<StoredFile, 'content'>), content }
        return [stored.fileId, stored] as const
      }),
    )
    const messages = (
      connection
        .prepare('SELECT message, file_id AS fileId FROM messages WHERE bot = ? ORDER BY id')
        .all(bot) as {
        message: string
        fileId: string | null
      }[]
    ).map(({ message, fileId }): StoredMessage => {
      const file = fileId === null ? undefined : files.get(fileId)
      return { ...(JSON.parse(message) as StoredMessage), ...(file && { file }) }
    })
    const chats = connection.prepare('SELECT state FROM chats WHERE bot = ?').pluck().all(bot) as string[]
    return chats.map((state) => {
      const chat = JSON.parse(state) as Omit<Chat, 'messages'>
      return { ...chat, messages: messages.filter(({ chatId }) => chatId === chat.user.id) }
    })
  }

  const removeBot = connection.transaction((bot: number) => {
    for (const table of ['chats', 'messages', 'commands'])
      connection.prepare(`DELETE FROM ${table} WHERE bot = ?`).run(bot)
    connection.prepare('DELETE FROM bots WHERE id = ?').run(bot)
    removeUnusedFiles.run()
  })

  /** Returns the part of the store that belongs to one bot. */
  function ofBot(bot: number) {
    return {
      /** Returns all chats as they were kept. */
      load: () => load(bot),
      loadCommands: () =>
        (
          connection.prepare('SELECT list_key AS key, list FROM commands WHERE bot = ?').all(bot) as {
            key: string
            list: string
          }[]
        ).map(({ key, list }) => [key, JSON.parse(list) as readonly BotCommandEntry[]] as const),
      saveAbout: (about: BotAbout) => void saveBot.run(bot, JSON.stringify(about)),
      saveChat: (chat: Chat) =>
        void saveChat.run(bot, chat.user.id, JSON.stringify({ ...chat, messages: undefined })),
      saveMessage: (message: StoredMessage) => keep(bot, message),
      removeMessage: (messageId: number) => {
        removeMessage.run(bot, messageId)
        removeUnusedFiles.run()
      },
      saveCommands: (key: string, list: readonly BotCommandEntry[]) =>
        void saveCommands.run(bot, key, JSON.stringify(list)),
      /** Forgets the bot with its chats. */
      remove: () => removeBot(bot),
    }
  }

  return {
    /** Returns what was kept about each bot, in the order in which they were made. */
    bots: () =>
      (connection.prepare('SELECT about FROM bots ORDER BY id').pluck().all() as string[]).map(
        (about) => JSON.parse(about) as BotAbout,
      ),
    ofBot,
    close: () => connection.close(),
  }
}
