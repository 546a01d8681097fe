import type { Method } from './method.ts'

/** The bots that a manager may reach. */
export interface ManagedBots {
  /** @throws ApiError `BOT_INVALID` for a bot that is not managed by this one, or no longer there */
  token(botId: number): string
  /** Revokes the token; throws as `token` does. */
  replaceToken(botId: number): string
}

interface ManagedBotInput {
  readonly user_id: number
}

/** What a bot does with the bots that were made through it (Bot API 9.6). */
export function managerMethods(managed: ManagedBots) {
  return {
    getManagedBotToken: ({ user_id }: ManagedBotInput) => managed.token(user_id),
    replaceManagedBotToken: ({ user_id }: ManagedBotInput) => managed.replaceToken(user_id),
  } satisfies Record<string, Method>
}
