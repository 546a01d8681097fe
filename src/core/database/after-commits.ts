import type { Database } from './database.ts'

interface Waiting {
  /** Time in ms after which the last look is taken; 0: one look only. */
  readonly waitMs: number
  /** Pause in ms between two looks, for commits without a notification: of other processes on SQLite, or where one was lost. */
  readonly pollMs: number
  /** Ends the waiting early. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Looks for something at once and after each commit of this process or another server, until it is there.
 *
 * @param look resolves to undefined while it is not there yet
 * @returns undefined when it did not come in time
 */
export async function waitForCommitted<T>(
  db: Pick<Database, 'onCommit' | 'cluster'>,
  look: () => Promise<T | undefined>,
  { waitMs, pollMs, signal }: Waiting,
): Promise<T | undefined> {
  const end = performance.now() + waitMs
  for (;;) {
    // Subscribed before the look, so that a commit during it is not missed.
    const next = nextCommit(db, signal)
    try {
      const found = await look()
      const left = end - performance.now()
      if (found !== undefined || left <= 0 || signal?.aborted) return found
      await next.within(Math.min(pollMs, left))
    } finally {
      next.forget()
    }
  }
}

function nextCommit(db: Pick<Database, 'onCommit' | 'cluster'>, signal: AbortSignal | undefined) {
  let heard = () => {}
  const happened = new Promise<void>((resolve) => (heard = resolve))
  const unsubscribe = db.onCommit(heard)
  const unsubscribeElsewhere = db.cluster?.onElsewhere(heard)
  signal?.addEventListener('abort', heard)
  let timer: NodeJS.Timeout | undefined
  return {
    within(ms: number): Promise<void> {
      timer = setTimeout(heard, ms)
      return happened
    },
    forget(): void {
      clearTimeout(timer)
      unsubscribe()
      unsubscribeElsewhere?.()
      signal?.removeEventListener('abort', heard)
    },
  }
}
