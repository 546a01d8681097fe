import type { TronWeb } from 'tronweb'
import type { Clock } from '../core/clock.ts'
import { ChainUnavailable } from '../core/top-ups/chain-reader.ts'
import type { ApiMethod, ChainObserver, Provider } from './provider.ts'

/** How long the second provider serves at least, when it can. */
const REST_MS = 10 * 60 * 1000

interface FailoverOptions {
  readonly primary: Provider
  readonly fallback: Provider | undefined
  /** Rejects when a provider does not answer, or is behind what was seen already: then nobody turns to it. */
  readonly probe: (provider: Provider) => Promise<unknown>
  readonly clock: Clock
  readonly observer: ChainObserver | undefined
}

/**
 * Asks one provider, and the other one once the first failed three times in a row. After ten minutes the primary one gets another
 * chance: a single failure sends us back.
 */
export class Failover {
  readonly #options: FailoverOptions
  #current: Provider
  #primaryDueAt = 0

  constructor(options: FailoverOptions) {
    this.#options = options
    this.#current = options.primary
  }

  /**
   * Everything that `operation` asks, it asks one provider: page marks of one mean nothing to the other.
   *
   * @throws ChainUnavailable
   */
  async attempt<T>(method: ApiMethod, operation: (tron: TronWeb) => Promise<T>): Promise<T> {
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

  /** Turns to the other provider, if it can be trusted to be any better. */
  async #leave(provider: Provider): Promise<Provider | undefined> {
    const { primary, fallback } = this.#options
    const other = provider === primary ? fallback : primary
    if (!other || !(await this.#isGood(other))) return undefined
    this.#turnTo(other)
    return other
  }

  async #tryPrimaryAgain(): Promise<void> {
    const { primary } = this.#options
    if (this.#current === primary || this.#now() < this.#primaryDueAt) return
    this.#primaryDueAt = this.#now() + REST_MS
    if (await this.#isGood(primary)) this.#turnTo(primary)
  }

  #turnTo(provider: Provider): void {
    if (this.#current === provider) return
    this.#current = provider
    this.#primaryDueAt = this.#now() + REST_MS
    this.#options.observer?.switched(provider.name)
  }

  #isGood(provider: Provider): Promise<boolean> {
    return this.#options.probe(provider).then(
      () => true,
      () => false,
    )
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}
