import { SqliteDatabase } from '../../core/database/driver.ts'
import type { Chat, StoredMessage } from './chat.ts'
import type { StoredFile } from './files.ts'
import type { BotCommandEntry } from './types.ts'

/** Messages that are kept of a chat, newest first, and bytes of the files of all chats. */
const LIMITS = { messages: 300, fileBytes: 50_000_000 }
/** Version of the tables; what another version wrote is dropped. */
const VERSION = 1

/** The store in which chats outlive the process. */
export type ChatStore = ReturnType<typeof openChatStore>

/**
 * Keeps the chats in a SQLite file of their own. A kill of the process loses nothing, a power cut perhaps the last changes.
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
      CREATE TABLE chats (id INTEGER PRIMARY KEY, state TEXT NOT NULL);
      CREATE TABLE messages (id INTEGER PRIMARY KEY, chat_id INTEGER NOT NULL, message TEXT NOT NULL, file_id TEXT);
      CREATE TABLE files (id TEXT PRIMARY KEY, file TEXT NOT NULL, content BLOB NOT NULL);
      CREATE TABLE commands (list_key TEXT PRIMARY KEY, list TEXT NOT NULL);
      PRAGMA user_version = ${VERSION}`)
  }
  const saveChat = connection.prepare('INSERT OR REPLACE INTO chats VALUES (?, ?)')
  const saveMessage = connection.prepare('INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?)')
  const saveFile = connection.prepare('INSERT OR IGNORE INTO files VALUES (?, ?, ?)')
  const removeMessage = connection.prepare('DELETE FROM messages WHERE id = ?')
  const removeOldest = connection.prepare(`
    DELETE FROM messages WHERE chat_id = @chat AND id <= (
      SELECT id FROM messages WHERE chat_id = @chat ORDER BY id DESC LIMIT 1 OFFSET ${limits.messages})`)
  const removeLargeFiles = connection.prepare(`
    DELETE FROM messages WHERE id IN (
      SELECT id FROM (SELECT m.id, sum(length(f.content)) OVER (ORDER BY m.id DESC) AS bytes
                      FROM messages m JOIN files f ON f.id = m.file_id)
      WHERE bytes > ${limits.fileBytes})`)
  const removeUnusedFiles = connection.prepare(
    'DELETE FROM files WHERE id NOT IN (SELECT file_id FROM messages WHERE file_id IS NOT NULL)',
  )
  const saveCommands = connection.prepare('INSERT OR REPLACE INTO commands VALUES (?, ?)')

  const keep = connection.transaction(({ file, ...message }: StoredMessage) => {
    const { messageId, chatId } = message
    if (file) {
      const { content, ...about } = file
      saveFile.run(file.fileId, JSON.stringify(about), content)
    }
    saveMessage.run(messageId, chatId, JSON.stringify(message), file?.fileId ?? null)
    removeOldest.run({ chat: chatId })
    if (file) removeLargeFiles.run()
    removeUnusedFiles.run()
  })

  function load(): Chat[] {
    const files = new Map(
      (
        connection.prepare('SELECT file, content FROM files').all() as { file: string; content: Buffer }[]
      ).map(({ file, content }) => {
        const stored = { ...(JSON.parse(file) as Omit<StoredFile, 'content'>), content }
        return [stored.fileId, stored] as const
      }),
    )
    const messages = (
      connection.prepare('SELECT message, file_id AS fileId FROM messages ORDER BY id').all() as {
        message: string
        fileId: string | null
      }[]
    ).map(({ message, fileId }): StoredMessage => {
      const file = fileId === null ? undefined : files.get(fileId)
      return { ...(JSON.parse(message) as StoredMessage), ...(file && { file }) }
    })
    const chats = connection.prepare('SELECT state FROM chats').pluck().all() as string[]
    return chats.map((state) => {
      const chat = JSON.parse(state) as Omit<Chat, 'messages'>
      return { ...chat, messages: messages.filter(({ chatId }) => chatId === chat.user.id) }
    })
  }

  return {
    /** Returns all chats as they were kept. */
    load,
    loadCommands: () =>
      (
        connection.prepare('SELECT list_key AS key, list FROM commands').all() as {
          key: string
          list: string
        }[]
      ).map(({ key, list }) => [key, JSON.parse(list) as readonly BotCommandEntry[]] as const),
    saveChat: (chat: Chat) =>
      void saveChat.run(chat.user.id, JSON.stringify({ ...chat, messages: undefined })),
    saveMessage: (message: StoredMessage) => keep(message),
    removeMessage: (messageId: number) => {
      removeMessage.run(messageId)
      removeUnusedFiles.run()
    },
    saveCommands: (key: string, list: readonly BotCommandEntry[]) =>
      void saveCommands.run(key, JSON.stringify(list)),
    close: () => connection.close(),
  }
}
