import type { Clock } from '../../core/clock.ts'
import { ChainUnavailable } from '../../core/top-ups/payment-network.ts'
import type { NetworkObserver } from '../configured-network.ts'
import { ProviderFault } from './provider-fault.ts'

const SECOND = 1000
const LONGEST_PAUSE_MS = 60 * SECOND
/** Failures in a row after which the other provider is used. */
const FAILURES_TO_LEAVE = 3

export type ProviderName = 'primary' | 'fallback'

/** A time in which a method is not called; in milliseconds. */
interface Pause {
  readonly from: number
  readonly until: number
  readonly because: ChainUnavailable
}

interface Standing {
  /** Failures in a row. */
  failures: number
  pause: Pause | undefined
}

interface ProviderOptions<Client> {
  readonly name: ProviderName
  /** Called once, at the first request: returns what talks to the provider. It asks nothing yet, so that no outage is kept. */
  readonly open: () => Client | Promise<Client>
  readonly clock: Clock
  /** Returns 0 up to 1, for jitter, so that many instances do not retry at the same moment. */
  readonly random: () => number
  readonly observer: NetworkObserver | undefined
}

/**
 * A provider of a network's API, with the recent failures of each method: failures and pauses count per method.
 *
 * @typeParam Client talks to it
 */
export class Provider<Client, Method extends string> {
  readonly name: ProviderName
  readonly #options: ProviderOptions<Client>
  readonly #standings = new Map<Method, Standing>()
  #client: Promise<Client> | undefined

  constructor(options: ProviderOptions<Client>) {
    this.name = options.name
    this.#options = options
  }

  /**
   * Calls one method, in as many requests as `operation` needs. A method that failed, or is suspended, is paused: meanwhile it
   * throws the last fault at once.
   *
   * @throws ChainUnavailable
   */
  async attempt<T>(method: Method, operation: (client: Client) => Promise<T>): Promise<T> {
    const standing = this.#standing(method)
    if (standing.pause && this.#lasts(standing.pause)) {
      const { fault, message } = standing.pause.because
      throw new ChainUnavailable(fault, `${message} (not asked again yet)`)
    }
    const failuresBefore = standing.failures
    try {
      const result = await operation(await (this.#client ??= this.#open()))
      standing.failures = 0
      this.#options.observer?.asked(this.name, method)
      return result
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      // Concurrent failures count once.
      standing.failures = Math.max(standing.failures, failuresBefore + 1)
      const fault = new ChainUnavailable(
        error.fault,
        `${method} at the ${this.name} provider: ${error.message}`,
      )
      if (error instanceof ProviderFault) this.#pause(standing, fault, error.suspendedMs)
      this.#options.observer?.asked(this.name, method, fault)
      throw fault
    }
  }

  async #open(): Promise<Client> {
    return this.#options.open()
  }

  /** Whether the method failed so often that the other provider should be used. */
  isFailing(method: Method): boolean {
    return this.#standing(method).failures >= FAILURES_TO_LEAVE
  }

  /** Pauses for as long as the provider said, or 2, 4, 8 … 60 seconds; a longer pause under way is kept. */
  #pause(standing: Standing, because: ChainUnavailable, suspendedMs: number | undefined): void {
    const backOff = Math.min(SECOND * 2 ** standing.failures, LONGEST_PAUSE_MS)
    // A bad key needs the operator: retry seldom.
    const ms = suspendedMs ?? (because.fault === 'bad_key' ? LONGEST_PAUSE_MS : backOff)
    const jitter = this.#options.random() * Math.min(ms / 4, SECOND)
    const from = this.#now()
    const until = Math.max(from + ms + jitter, standing.pause?.until ?? 0)
    standing.pause = { from, until, because }
  }

  /** A clock that was set back ends a pause instead of prolonging it. */
  #lasts({ from, until }: Pause): boolean {
    const now = this.#now()
    return from <= now && now < until
  }

  #standing(method: Method): Standing {
    const known = this.#standings.get(method)
    if (known) return known
    const standing: Standing = { failures: 0, pause: undefined }
    this.#standings.set(method, standing)
    return standing
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}
