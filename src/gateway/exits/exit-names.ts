import { lookup, Resolver } from 'node:dns/promises'

interface ExitNamesOptions {
  /** `address:port` of name servers; those of the system by default. */
  readonly servers?: readonly string[]
  /** Milliseconds of a clock that does not jump. */
  readonly now?: () => number
}

interface Known {
  readonly addresses: readonly string[]
  readonly until: number
}

const MIN_SECONDS = 30
const MAX_SECONDS = 60
/** Names that are cached: more than exits have at a time. */
const MOST_NAMES = 10_000

/**
 * The addresses of exits that have names, such as vendors' gateways, which nearly every connection asks for. Name servers are asked
 * without the threads of the system's resolver, which the journal needs, too; only a name that they do not know, such as one of the
 * `hosts` file, is left to that resolver.
 */
export class ExitNames {
  readonly #resolver = new Resolver({ timeout: 2_000, tries: 2 })
  readonly #now: () => number
  readonly #known = new Map<string, Known>()
  /** Lookups under way, one for each name. */
  readonly #asking = new Map<string, Promise<readonly string[]>>()

  constructor({ servers, now = () => performance.now() }: ExitNamesOptions = {}) {
    if (servers) this.#resolver.setServers(servers)
    this.#now = now
  }

  /** @throws Error with the system's code */
  async addressesOf(name: string): Promise<readonly string[]> {
    const known = this.#known.get(name)
    if (known && this.#now() < known.until) return known.addresses
    let asking = this.#asking.get(name)
    if (!asking) {
      asking = this.#ask(name).finally(() => this.#asking.delete(name))
      this.#asking.set(name, asking)
    }
    return asking
  }

  async #ask(name: string): Promise<readonly string[]> {
    const records = await this.#resolver
      .resolve4(name, { ttl: true })
      .catch(() => this.#resolver.resolve6(name, { ttl: true }))
      .catch(() => fromSystem(name))
    const seconds = Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, Math.min(...records.map(({ ttl }) => ttl))))
    const addresses = records.map(({ address }) => address)
    if (this.#known.size >= MOST_NAMES) this.#known.clear()
    this.#known.set(name, { addresses, until: this.#now() + seconds * 1_000 })
    return addresses
  }
}

/** Asks the system's resolver, which tells no TTL. */
async function fromSystem(name: string) {
  return (await lookup(name, { all: true })).map(({ address }) => ({ address, ttl: MIN_SECONDS }))
}
