import { clientNetwork } from './client-address.ts'

const MINUTE_MS = 60_000
/** Networks that are remembered at a time: beyond that the one whose window began first is forgotten. */
const MOST_NETWORKS = 100_000

/** Counts wrong passwords by client address; in memory, reset on restart. */
export class FailedLogins {
  readonly #perMinute: number
  readonly #now: () => number
  /** Windows by network, oldest first. */
  readonly #windows = new Map<string, { readonly until: number; failures: number }>()

  /** @param now milliseconds of a clock that does not jump */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Whether log-ins from the network of this address are refused for now. */
  tooMany(address: string): boolean {
    if (this.#windows.size === 0) return false
    const window = this.#windows.get(clientNetwork(address))
    return window !== undefined && window.failures >= this.#perMinute && this.#now() < window.until
  }

  count(address: string): void {
    const network = clientNetwork(address)
    const window = this.#windows.get(network)
    if (window && this.#now() < window.until) return void (window.failures += 1)
    this.#windows.delete(network)
    this.#windows.set(network, { until: this.#now() + MINUTE_MS, failures: 1 })
    if (this.#windows.size <= MOST_NETWORKS) return
    const [oldest = ''] = this.#windows.keys()
    this.#windows.delete(oldest)
  }
}
