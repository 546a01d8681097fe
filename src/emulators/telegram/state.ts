import type { User } from 'grammy/types'
import { createCallbackQueries } from './callback-queries.ts'
import type { ChatStore } from './chat-store.ts'
import type { StoredMessage } from './chat.ts'
import { createChatLog } from './chat-log.ts'
import { createCommandMenu } from './command-menu.ts'
import { createFileStore } from './files.ts'
import { createLongPoll } from './long-poll.ts'
import { createUpdateQueue } from './update-queue.ts'
import { createWebhook } from './webhook.ts'
import { toWireMessage } from './wire.ts'

/** Everything that the emulated Telegram knows about one bot: what the methods and the people's side work on. */
export type TelegramState = ReturnType<typeof createState>

/** Texts of the bot's profile, by language; the empty language is the default. */
export type ProfileTexts = Readonly<Record<'name' | 'description' | 'shortDescription', Map<string, string>>>

/** Starts with no users, no messages and nothing set. */
export function createState(options: {
  token: string
  botUsername: string
  now: () => Date
  store?: ChatStore | undefined
}) {
  const { store } = options
  const now = () => Math.floor(options.now().getTime() / 1000)
  // Ids begin at the time of the start: a bot that kept ids of an earlier run in its database never meets them again.
  const firstId = now()
  // In milliseconds: with more than one update a second, ids that began at seconds would run ahead of the clock.
  const updates = createUpdateQueue(options.now().getTime())
  const log = createChatLog(firstId, now, store)
  const profile: ProfileTexts = { name: new Map(), description: new Map(), shortDescription: new Map() }
  const bot = (): User => ({
    id: Number.parseInt(options.token, 10) || 1,
    is_bot: true,
    first_name: profile.name.get('') ?? options.botUsername,
    username: options.botUsername,
  })
  return {
    /** In Unix seconds. */
    now,
    bot,
    log,
    updates,
    profile,
    longPoll: createLongPoll(updates),
    webhook: createWebhook(updates, now),
    files: createFileStore(log.files()),
    callbacks: createCallbackQueries(firstId),
    menu: createCommandMenu(store),
    /** Menu buttons of chats; key 0 is the default. */
    menuButtons: new Map<number, unknown>(),
    wire: (message: StoredMessage) => toWireMessage(log, bot(), message),
  }
}
