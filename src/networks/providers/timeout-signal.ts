/** Returns a signal that aborts in `ms`, or with an earlier one. `AbortSignal.any` would leave data of each request at the latter. */
export function timeoutSignal(ms: number, earlier: AbortSignal | undefined): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    clearTimeout(timer)
    earlier?.removeEventListener('abort', abort)
    controller.abort()
  }
  const timer = setTimeout(abort, ms).unref()
  earlier?.addEventListener('abort', abort)
  if (earlier?.aborted) abort()
  return controller.signal
}
