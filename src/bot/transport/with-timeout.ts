/** Nobody waits for it any more; it may still be done. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Waits for work, but not for ever. What is given up goes on, unheard.
 *
 * @param signal gives it up earlier
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
