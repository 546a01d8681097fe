import type { Update } from 'grammy/types'
import { ApiError } from './api-error.ts'
import type { UpdateQueue } from './update-queue.ts'

/** What ends a waiting `getUpdates` with 409. */
export const CONFLICTS = {
  poller: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  webhook: 'Conflict: terminated by setWebhook request',
} as const
const MAX_TIMEOUT_SECONDS = 50

interface PollOptions {
  readonly offset: number
  readonly limit: number
  /** Seconds to wait for the first update. */
  readonly timeout: number
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal
}

/** `getUpdates`: at most one request waits; a second one ends the first with a conflict, as in Telegram. */
export function createLongPoll(updates: UpdateQueue) {
  let current:
    | { limit: number; finish: (updates: readonly Update[]) => void; fail: (error: Error) => void }
    | undefined
  let closed = false

  updates.onPush(() => current?.finish(updates.first(current.limit)))

  /** Ends the waiting request with an error; returns whether there was one. */
  function refuse(code: number, description: string): boolean {
    const isWaiting = current !== undefined
    current?.fail(new ApiError(code, description))
    return isWaiting
  }

  /** @throws ApiError 409 when another request takes over, 502 after `close` */
  async function poll({ offset, limit, timeout, gone }: PollOptions): Promise<readonly Update[]> {
    if (closed) throw new ApiError(502, 'Bad Gateway')
    refuse(409, CONFLICTS.poller)
    updates.confirmBelow(offset)
    const seconds = Math.min(timeout, MAX_TIMEOUT_SECONDS)
    if (updates.size() > 0 || seconds <= 0) return updates.first(limit)
    return new Promise((resolve, reject) => {
      const settle = (action: () => void) => {
        clearTimeout(timer)
        current = undefined
        action()
      }
      const finish = (result: readonly Update[]) => settle(() => resolve(result))
      const timer = setTimeout(finish, seconds * 1000, [])
      const request = { limit, finish, fail: (error: Error) => settle(() => reject(error)) }
      current = request
      gone.addEventListener('abort', () => current === request && finish([]), { once: true })
    })
  }

  return {
    poll,
    refuse,
    /** Answers the waiting request at once, with no updates, and refuses later ones. */
    close(): void {
      closed = true
      current?.finish([])
    },
  }
}
