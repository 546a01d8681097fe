import { badRequest } from './api-error.ts'
import { countCharacters } from './characters.ts'
import type { BotStore } from './chat-store.ts'
import type { BotCommandEntry } from './types.ts'

/** `BotCommandScope` after the table check. */
export interface CommandScope {
  readonly type: string
  readonly chat_id?: number | string
  readonly user_id?: number
}

const MAX_COMMANDS = 100

/**
 * Makes the command lists of the bot, by scope and language.
 *
 * @param store keeps the lists beyond the process
 */
export function createCommandMenu(store?: BotStore) {
  const lists = new Map(store?.loadCommands())

  /** Stores a list; an empty one counts as none. */
  function save(key: string, commands: readonly BotCommandEntry[]): void {
    lists.set(key, commands)
    store?.saveCommands(key, commands)
  }

  return {
    /** @throws ApiError with Telegram's text for a command list that Telegram refuses */
    set(
      scope: CommandScope | undefined,
      language: string | undefined,
      commands: readonly BotCommandEntry[],
    ): void {
      commands.forEach(checkCommand)
      if (commands.length > MAX_COMMANDS) throw badRequest('BOT_COMMANDS_TOO_MUCH')
      save(keyOf(scope, language), commands)
    },
    delete: (scope: CommandScope | undefined, language: string | undefined) =>
      save(keyOf(scope, language), []),
    /** Returns the list of exactly this scope and language, as `getMyCommands` does. */
    get: (scope: CommandScope | undefined, language: string | undefined) =>
      lists.get(keyOf(scope, language)) ?? [],
    /** Returns what a person sees in the private chat: the narrowest scope first, in each the person's language first. */
    visibleTo(chatId: number, languageCode: string): readonly BotCommandEntry[] {
      const language = languageCode.slice(0, 2).toLowerCase()
      const scopes = [{ type: 'chat', chat_id: chatId }, { type: 'all_private_chats' }, { type: 'default' }]
      const keys = scopes.flatMap((scope) => [keyOf(scope, language), keyOf(scope, undefined)])
      return keys.map((key) => lists.get(key)).find((list) => list !== undefined && list.length > 0) ?? []
    },
  }
}

function keyOf(scope: CommandScope = { type: 'default' }, language = ''): string {
  if (language !== '' && !/^[a-z]{2}$/.test(language)) throw badRequest('invalid language code specified')
  return [scope.type, scope.chat_id ?? '', scope.user_id ?? '', language].join('/')
}

function checkCommand({ command, description }: BotCommandEntry): void {
  if (command === '') throw badRequest('command must be non-empty')
  if (description === '') throw badRequest('command description must be non-empty')
  if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID')
  if (countCharacters(description) > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
}
