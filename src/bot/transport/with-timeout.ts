/** The wait for some work has ended; the work itself may go on. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Waits for work for a limited time. After that the work goes on, but its result is ignored.
 *
 * @param signal ends the wait earlier
 * @throws TimeoutError when it is not done after `limitMs`; what the work throws
 */
export function withTimeout<T>(work: Promise<T>, limitMs: number, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new TimeoutError(`not done after ${limitMs} ms`))
    const timer = setTimeout(giveUp, limitMs)
    signal?.addEventListener('abort', giveUp)
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    })
  })
}
