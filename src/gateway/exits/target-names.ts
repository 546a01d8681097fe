import { isIP } from 'node:net'
import type { GatewayExit } from '../../core/gateway/wire.ts'
import { Refused, type Target } from '../exit.ts'
import type { Targets } from '../targets.ts'
import { resolveByDns } from './resolve-by-dns.ts'

interface TargetNamesOptions {
  readonly targets: Targets
  readonly resolve?: (name: string) => Promise<readonly string[]>
  /** Milliseconds of a clock that does not jump. */
  readonly now?: () => number
}

/** What an exit is asked for, which may depend on the address at which it was reached. */
export type AskedTarget = Target | ((exitAddress: string) => Promise<Target>)

interface Found {
  /** Empty: the name is not known here. */
  readonly addresses: readonly string[]
  /** Whether one of them may not be reached. */
  readonly isRefused: boolean
  readonly until: number
}

/** How long the addresses of a name are cached. */
const KNOWN_MS = 30_000
/** How long the name servers may take; after that the name counts as not known. */
const PATIENCE_MS = 3_000
const MOST_NAMES = 10_000

/**
 * Checks the names that exits resolve themselves (rules 12.15), while the connection to the exit is opened. An exit beside this machine,
 * which reaches what is private here, is asked for an address that was checked: what the name means to it a moment later changes nothing.
 */
export class TargetNames {
  readonly #targets: Targets
  readonly #resolve: (name: string) => Promise<readonly string[]>
  readonly #now: () => number
  readonly #found = new Map<string, Found>()
  /** Lookups under way, one for each name. */
  readonly #asking = new Map<string, Promise<Found>>()

  constructor({ targets, resolve = resolveByDns, now = () => performance.now() }: TargetNamesOptions) {
    this.#targets = targets
    this.#resolve = resolve
    this.#now = now
  }

  /** @throws Refused target_refused, at once where the name is cached; the returned function throws it, too, and target_unreachable */
  askedOf(exit: GatewayExit, target: Target): AskedTarget {
    const { host, port } = target
    if (exit.remote_only || isIP(host) !== 0 || this.#targets.lead(host)) return target
    refuseSingleWord(host)
    const found = this.#known(host) ?? this.#ask(host)
    if ('isRefused' in found) refusePrivate(found)
    return async (exitAddress) => {
      const known = await found
      refusePrivate(known)
      // Without an address the connection has ended already.
      if (exitAddress === '' || this.#targets.mayReach(exitAddress)) return target
      const [address] = known.addresses
      if (address === undefined)
        throw new Refused('target_unreachable', 'the name of the target is not known')
      return { host: address, port }
    }
  }

  #known(name: string): Found | undefined {
    const found = this.#found.get(name)
    return found && this.#now() < found.until ? found : undefined
  }

  #ask(name: string): Promise<Found> {
    const asking = this.#asking.get(name) ?? this.#find(name).finally(() => this.#asking.delete(name))
    this.#asking.set(name, asking)
    return asking
  }

  async #find(name: string): Promise<Found> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<readonly string[]>((resolve) => {
      timer = setTimeout(() => resolve([]), PATIENCE_MS)
    })
    const addresses = await Promise.race([this.#resolve(name).catch(() => []), tooLate])
    clearTimeout(timer)
    const isRefused = !addresses.every((address) => this.#targets.mayReach(address))
    const found = { addresses, isRefused, until: this.#now() + KNOWN_MS }
    if (this.#found.size >= MOST_NAMES) this.#found.clear()
    this.#found.set(name, found)
    return found
  }
}

/** Refuses a name without a dot: it means something only in the network of whoever resolves it. */
export function refuseSingleWord(name: string): void {
  if (!name.includes('.')) throw new Refused('target_refused')
}

function refusePrivate({ isRefused }: Found): void {
  if (isRefused) throw new Refused('target_refused')
}
