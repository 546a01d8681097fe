import type { Attempt } from '../attempt.ts'
import { connectFast, type FastSocket } from '../fast-socket.ts'

/**
 * Connects to the first of some addresses that takes the connection; what is left of the time is shared by those not tried yet.
 *
 * @param deadline by `performance.now()`
 * @throws Error of the last address; the reason for which the attempt was given up
 */
export async function connectToAny(
  addresses: readonly string[],
  port: number,
  deadline: number,
  attempt: Attempt,
): Promise<FastSocket> {
  let failure: unknown
  for (let tried = 0; tried < addresses.length; tried += 1) {
    const host = addresses[tried] ?? ''
    const left = Math.ceil((deadline - performance.now()) / (addresses.length - tried))
    try {
      return await connectFast({ host, port, timeoutMs: Math.max(left, 1), attempt })
    } catch (error) {
      if (attempt.reason) throw error
      failure = error
    }
  }
  throw failure
}
