import type { Update } from 'grammy/types'
import { chatOf } from './updates.ts'

const WINDOW_MS = 10_000

/** What becomes of an update: handled, answered with "slow down" instead, or passed over. */
type Verdict = 'handle' | 'warn' | 'drop'

interface Window {
  /** On the clock of `performance`. */
  readonly since: number
  count: number
  /** Whether the person was told; stays until a window passes without excess. */
  warned: boolean
}

/**
 * How much of one chat is handled in ten seconds. It decides on arrival, before anything is done: what was begun, a payment
 * above all, is always ended and its result shown; what exceeds the limit was never begun, and can be pressed again.
 */
export class FloodLimit {
  readonly #limit: number
  readonly #chats = new Map<number, Window>()
  readonly #excess = new WeakSet<Update>()
  #lastSweep = 0

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

  #count(chat: number): Verdict {
    const now = performance.now()
    this.#sweep(now)
    const last = this.#chats.get(chat)
    if (!last || now - last.since >= WINDOW_MS) {
      const warned = last !== undefined && last.count > this.#limit
      this.#chats.set(chat, { since: now, count: 1, warned })
      return 'handle'
    }
    last.count += 1
    if (last.count <= this.#limit) return 'handle'
    if (last.warned) return 'drop'
    last.warned = true
    return 'warn'
  }

  /** Forgets the chats that are quiet. */
  #sweep(now: number): void {
    if (now - this.#lastSweep < WINDOW_MS) return
    this.#lastSweep = now
    for (const [chat, { since }] of this.#chats) if (now - since >= 2 * WINDOW_MS) this.#chats.delete(chat)
  }
}
