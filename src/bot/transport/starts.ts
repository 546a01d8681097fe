import { GrammyError } from 'grammy'
import { setTimeout as sleep } from 'node:timers/promises'
import { limited } from '../../core/limited.ts'

/** Bots that begin at the same time: a slow one holds up few others. */
const AT_ONCE = 16
/**
 * Time in ms between two bots that begin after Telegram has asked for a pause: it loads about 20 bots a minute that it has not in memory,
 * such as after a long stop. Without that, nothing is known of a limit.
 */
const PACE_MS = 4_000
/** Time in ms for which it stays so. */
const PACED_MS = 15 * 60_000

/** Lets bots begin, all at once as long as Telegram takes it. */
export class Starts {
  readonly #inTurn = limited(AT_ONCE)
  /** In ms of `performance.now()`: until when it goes slowly, and when the next bot may begin then. */
  #pacedUntil = -Infinity
  #next = -Infinity

  /**
   * Begins with a bot when its turn has come.
   *
   * @param open the first call to Telegram
   * @param stopping ends the wait: nothing is opened any more
   */
  begin(stopping: AbortSignal, open: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#mayBegin(stopping)
      if (stopping.aborted) return
      try {
        await open()
      } catch (error) {
        const pause = error instanceof GrammyError ? error.parameters.retry_after : undefined
        if (pause !== undefined) this.slowDown(pause)
        throw error
      }
    })
  }

  /** Telegram has asked for a pause. @param seconds how long nothing begins */
  slowDown(seconds = 0): void {
    const now = performance.now()
    this.#pacedUntil = now + seconds * 1000 + PACED_MS
    this.#next = Math.max(this.#next, now + seconds * 1000)
  }

  async #mayBegin(stopping: AbortSignal): Promise<void> {
    for (;;) {
      const now = performance.now()
      if (stopping.aborted || now >= this.#pacedUntil) return
      const waitMs = this.#next - now
      if (waitMs <= 0) {
        this.#next = now + PACE_MS
        return
      }
      await sleep(waitMs, undefined, { signal: stopping }).catch(() => {})
    }
  }
}
