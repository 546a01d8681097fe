import { ServiceError } from '../errors.ts'
import { networkOf } from '../ip-address.ts'

export const WINDOW_MS = 15 * 60_000
/** Most failed log-ins within the window (rules 2.4). */
export const LIMITS = { usernameFromNetwork: 10, username: 100, network: 30 } as const
/** IPv4 networks of this prefix length count as one origin of guesses. */
const IPV4_PREFIX = 24
/** Longer names are cut, so that a flood cannot fill the memory; no username is as long. */
const NAME_LENGTH = 200

/**
 * Limits failed log-ins per username and network, per username, and per network.
 *
 * An attempt that would exceed a limit if all attempts being checked failed waits for them. So parallel guesses cannot exceed a
 * limit, and successful log-ins are never refused for their number.
 */
export interface LoginThrottle {
  /**
   * Runs a password check as soon as the limits allow it.
   *
   * @param check finds the account with the password; undefined counts as a failed log-in, an error does not
   * @returns what `check` returns
   * @throws too_many_attempts with the seconds until the next attempt is allowed, unavailable when too many wait
   */
  attempt<Account>(
    origin: LogInOrigin,
    check: () => Promise<Account | undefined>,
  ): Promise<Account | undefined>
}

/** Whose password is guessed, and from where. */
export interface LogInOrigin {
  readonly username: string
  readonly network: string
}

/**
 * @param username the folded username
 * @param address where the attempt comes from: an IP address or a chat
 */
export function logInOrigin(username: string, address: string): LogInOrigin {
  return {
    username: username.slice(0, NAME_LENGTH),
    network: networkOf(address, IPV4_PREFIX).slice(0, NAME_LENGTH),
  }
}

/** Failures of one username, one network, or one username from one network. */
interface Failures {
  readonly limit: number
  /** Times in milliseconds, oldest first. */
  readonly failures: readonly number[]
}

/** @throws too_many_attempts while a counter has as many failures as its limit */
export function refuseOverLimit(counters: readonly Failures[], now: number): void {
  const until = counters.map(
    ({ failures, limit }) => (failures[failures.length - limit] ?? -Infinity) + WINDOW_MS,
  )
  const latest = Math.max(...until)
  if (latest > now)
    throw new ServiceError('too_many_attempts', { retryAfter: Math.ceil((latest - now) / 1000) })
}
