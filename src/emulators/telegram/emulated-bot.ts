import { isGroup } from './chat-log.ts'
import type { Dispatcher } from './dispatcher.ts'
import { peopleSide } from './people-side.ts'
import type { TelegramState } from './state.ts'
import type { EmulatedBot, EmulatedUser } from './types.ts'

/** What one bot needs of Telegram as a whole. */
export interface Network {
  readonly addUser: (user: EmulatedUser) => void
  /** Revokes the token of the bot; returns the new one. */
  readonly replaceToken: () => string
  /** Tells the manager of the bot, if it has one, that something was done to it. */
  readonly tellManager: () => void
  /** Forgets the bot. */
  readonly remove: () => void
}

/** Puts together what tests and the sandbox page do with one bot. */
export function createEmulatedBot(
  state: TelegramState,
  dispatcher: Dispatcher,
  network: Network,
): EmulatedBot {
  const { about, change, log, files, callbacks, menu } = state
  return {
    get token() {
      return about().token
    },
    botUsername: about().username,
    ...peopleSide(state),
    about,
    setCanManageBots: (canManageBots) => change({ canManageBots }),
    revokeToken: network.replaceToken,
    transferTo(ownerId) {
      log.chatOf(ownerId)
      change({ ownerId })
      network.tellManager()
    },
    deleteBot: network.remove,
    addUser: network.addUser,
    users: () => log.chats().flatMap(({ user }) => (isGroup(user) ? [] : user)),
    messages: log.visible,
    commands: (chatId) => menu.visibleTo(chatId, log.chatOf(chatId).user.languageCode),
    expireCallbacks: callbacks.expireAll,
    isStarted: (chatId) => log.chatOf(chatId).started,
    isBlocked: (chatId) => log.chatOf(chatId).blocked,
    file: async (fileId) => {
      const file = files.find(fileId)
      return file && { content: file.content, fileName: file.fileName, mimeType: file.mimeType }
    },
    serveLocally: files.serveLocally,
    inject: dispatcher.inject,
    clearFaults: dispatcher.clearFaults,
    calls: dispatcher.calls,
    clearCalls: dispatcher.clearCalls,
    subscribe: log.subscribe,
  }
}
