import type { ScreenMemory } from '../../core/chats/chat-sessions.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'

/** What a chat remembers of its live screen. */
export function memoryOf({ follows }: Screen): ScreenMemory {
  return { follows: follows ?? null }
}

/** The conversation that a screen begins, see `ledConversation`. */
export function begunBy({ takes }: Screen): BotContext['begins'] {
  return takes && { name: takes.question, start: [takes.state] }
}
