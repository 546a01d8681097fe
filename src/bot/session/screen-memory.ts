import type { ScreenMemory } from '../../core/chats/chat-sessions.ts'
import { hashOf } from '../../core/token-hash.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'

/** What a chat remembers of its live screen. */
export function memoryOf({ follows }: Screen): ScreenMemory {
  return { follows: follows ?? null }
}

/** What a chat remembers of a screen that stays, in place of a live one: which message holds it, and a hash of what it says. */
export function staying(messageId: number, { text }: Screen): string {
  return `stays:${messageId}:${hashOf(text)}`
}

/** The conversation that a screen begins, see `ledConversation`. */
export function begunBy({ takes }: Screen): BotContext['begins'] {
  return takes && { name: takes.question, start: [takes.state] }
}
