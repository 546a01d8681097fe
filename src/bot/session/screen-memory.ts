import type { ScreenMemory } from '../../core/chats/chat-sessions.ts'
import { followedText } from '../../core/chats/followed.ts'
import { hashOf } from '../../core/token-hash.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'

/** What a chat remembers of its live screen. */
export function memoryOf({ follows }: Screen): ScreenMemory {
  return { follows: follows ? followedText(follows) : null }
}

/** What a chat remembers of a screen that was shown by a message: one that stays is not live any more. */
export function shownAs(
  messageId: number,
  screen: Screen,
): ScreenMemory & { readonly screenMessage: number | null } {
  return screen.stays
    ? { screenMessage: null, follows: staying(messageId, screen) }
    : { screenMessage: messageId, ...memoryOf(screen) }
}

/** What a chat remembers of a screen that stays, in place of a live one: which message holds it, and a hash of what it says. */
export function staying(messageId: number, { text }: Screen): string {
  return followedText({ kind: 'staying', messageId, hash: hashOf(text) })
}

/** The conversation that a screen begins, see `ledConversation`. */
export function begunBy({ takes }: Screen): BotContext['begins'] {
  return takes && { name: takes.question, start: [takes.state] }
}
