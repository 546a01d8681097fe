import type { Attempt } from '../attempt.ts'
import { type Connection, openConnection } from '../connection.ts'

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
): Promise<Connection> {
  let failure: unknown
  for (let tried = 0; tried < addresses.length; tried += 1) {
    const host = addresses[tried] ?? ''
    const left = Math.ceil((deadline - performance.now()) / (addresses.length - tried))
    try {
      return await openConnection({ host, port, timeoutMs: Math.max(left, 1), attempt })
    } catch (error) {
      if (attempt.reason) throw error
      failure = error
    }
  }
  throw failure
}
