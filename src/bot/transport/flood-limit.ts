import type { Update } from 'grammy/types'
import { Windows } from '../../core/windows.ts'
import { chatOf } from './updates.ts'

const WINDOW_MS = 10_000
/** Most chats that are remembered. */
const REMEMBERED = 100_000

/** What becomes of an update: handled, answered with "slow down" instead, or passed over. */
type Verdict = 'handle' | 'warn' | 'drop'

/**
 * Limits the updates of one chat that are handled in ten seconds. It decides on arrival, before anything is done: what was begun, a
 * payment above all, is always finished and its result shown; what exceeds the limit was never begun, and can be pressed again.
 */
export class FloodLimit {
  readonly #limit: number
  readonly #chats = new Windows(WINDOW_MS, REMEMBERED)
  readonly #excess = new WeakSet<Update>()

  /** @param limit updates of a chat in ten seconds; 0 for no limit */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts an update that has just arrived, and says whether it goes on; see {@link isExcess}. */
  admits(update: Update): boolean {
    // That somebody has blocked the bot must be known, however often it happens.
    if (this.#limit === 0 || update.my_chat_member) return true
    const verdict = this.#count(chatOf(update))
    if (verdict === 'warn') this.#excess.add(update)
    return verdict !== 'drop'
  }

  /** Whether the person is to be told to slow down, instead of what the update asks for. */
  isExcess(update: Update): boolean {
    return this.#excess.has(update)
  }

  /** The person is told once, until a window passes without excess. */
  #count(chat: number): Verdict {
    const { count, before } = this.#chats.count(chat, performance.now())
    if (count <= this.#limit) return 'handle'
    return count === this.#limit + 1 && before <= this.#limit ? 'warn' : 'drop'
  }
}
