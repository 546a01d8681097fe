import type { Clock } from '../../core/clock.ts'
import { ChainUnavailable } from '../../core/top-ups/payment-network.ts'
import type { NetworkObserver } from '../configured-network.ts'
import type { Provider } from './provider.ts'

/** How long the fallback is used before the primary provider is tried again. */
const RETRY_PRIMARY_MS = 10 * 60 * 1000

interface FailoverOptions<Client, Method extends string> {
  readonly primary: Provider<Client, Method>
  readonly fallback: Provider<Client, Method> | undefined
  /** Rejects when a provider does not answer, or is behind the blocks seen so far: then it is not switched to. */
  readonly probe: (provider: Provider<Client, Method>) => Promise<unknown>
  readonly clock: Clock
  readonly observer: NetworkObserver | undefined
}

/**
 * Uses one provider, and switches to the other when a method failed three times in a row. After ten minutes on the fallback, the
 * primary one is probed and used again if it is good; then a single failure switches back.
 */
export class Failover<Client, Method extends string> {
  readonly #options: FailoverOptions<Client, Method>
  #current: Provider<Client, Method>
  #primaryDueAt = 0

  constructor(options: FailoverOptions<Client, Method>) {
    this.#options = options
    this.#current = options.primary
  }

  /**
   * All requests of `operation` go to the same provider: page marks of one are not valid at the other.
   *
   * @throws ChainUnavailable
   */
  async attempt<T>(method: Method, operation: (client: Client) => Promise<T>): Promise<T> {
    await this.#tryPrimaryAgain()
    const provider = this.#current
    try {
      return await provider.attempt(method, operation)
    } catch (error) {
      if (!(error instanceof ChainUnavailable) || !provider.isFailing(method)) throw error
      const other = await this.#leave(provider)
      if (!other) throw error
      return other.attempt(method, operation)
    }
  }

  /** Switches to the other provider if its probe succeeds. */
  async #leave(provider: Provider<Client, Method>): Promise<Provider<Client, Method> | undefined> {
    const { primary, fallback } = this.#options
    const other = provider === primary ? fallback : primary
    if (!other || !(await this.#isGood(other))) return undefined
    this.#switchTo(other)
    return other
  }

  async #tryPrimaryAgain(): Promise<void> {
    const { primary } = this.#options
    if (this.#current === primary || this.#now() < this.#primaryDueAt) return
    this.#primaryDueAt = this.#now() + RETRY_PRIMARY_MS
    if (await this.#isGood(primary)) this.#switchTo(primary)
  }

  #switchTo(provider: Provider<Client, Method>): void {
    if (this.#current === provider) return
    this.#current = provider
    this.#primaryDueAt = this.#now() + RETRY_PRIMARY_MS
    this.#options.observer?.switched(provider.name)
  }

  #isGood(provider: Provider<Client, Method>): Promise<boolean> {
    return this.#options.probe(provider).then(
      () => true,
      () => false,
    )
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}
