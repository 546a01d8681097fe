import type { User } from 'grammy/types'
import { createCallbackQueries } from './callback-queries.ts'
import type { BotStore } from './chat-store.ts'
import type { StoredMessage } from './chat.ts'
import { createChatLog } from './chat-log.ts'
import { createCommandMenu } from './command-menu.ts'
import { createFileStore } from './files.ts'
import { createLongPoll } from './long-poll.ts'
import type { BotAbout } from './types.ts'
import { createUpdateQueue } from './update-queue.ts'
import { createWebhook } from './webhook.ts'
import { toWireMessage } from './wire.ts'

/** Everything that the emulated Telegram knows about one bot: what the methods and the people's side work on. */
export type TelegramState = ReturnType<typeof createState>

/**
 * Starts with nothing set but what `about` says; ids of updates, messages and queries are counted for each bot of its own.
 *
 * @param options.onChange called after every change of what is known about the bot
 */
export function createState(options: {
  about: BotAbout
  now: () => Date
  onChange: () => void
  store?: BotStore | undefined
}) {
  const { store, onChange } = options
  let { about } = options
  const now = () => Math.floor(options.now().getTime() / 1000)
  // Ids begin at the time of the start: a bot that kept ids of an earlier run in its database never meets them again.
  const firstId = now()
  // In milliseconds: with more than one update a second, ids that began at seconds would run ahead of the clock.
  const updates = createUpdateQueue(options.now().getTime())
  const log = createChatLog(firstId, now, store)
  const bot = (): User => ({
    id: about.id,
    is_bot: true,
    first_name: about.texts.name[''] ?? about.username,
    username: about.username,
  })
  store?.saveAbout(about)
  return {
    /** In Unix seconds. */
    now,
    bot,
    about: () => about,
    change: (changed: Partial<BotAbout>): void => {
      about = { ...about, ...changed }
      store?.saveAbout(about)
      onChange()
    },
    log,
    updates,
    longPoll: createLongPoll(updates),
    webhook: createWebhook(updates, now),
    files: createFileStore(log.files()),
    callbacks: createCallbackQueries(firstId),
    menu: createCommandMenu(store),
    /** Menu buttons of chats; key 0 is the default. */
    menuButtons: new Map<number, unknown>(),
    wire: (message: StoredMessage) => toWireMessage(log, bot(), message),
    /** Forgets what is kept about the bot. */
    forget: () => store?.remove(),
  }
}
