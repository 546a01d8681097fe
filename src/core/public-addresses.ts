import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Names that resolve only within the network of the resolver. */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/
/** The global unicast range of IPv6; ipaddr.js calls every address without a special range `unicast`, `::127.0.0.1` too. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
const OWN_ADDRESSES_MS = 60_000

/** Returns the addresses of this machine's interfaces, in canonical spelling. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => ipaddr.process(address).toString())
}

/** Whether a host name, in lower case and without the trailing dot, is one that no public name server knows. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAME.test(host)
}

/** The addresses of the public internet, except those of this machine: strangers may have the service connect to them. */
export class PublicAddresses {
  readonly #told: readonly string[]
  #own = new Set<string>()
  #ownUntil = 0

  /** @param told addresses under which this machine is reached, besides those of its interfaces */
  constructor(told: readonly string[] = []) {
    this.#told = told.map((address) => ipaddr.process(address).toString())
  }

  /** @param address in any spelling, IPv4 within IPv6 among them */
  has(address: string): boolean {
    const parsed = ipaddr.process(address)
    if (parsed.range() !== 'unicast') return false
    if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6)) return false
    return !this.#ownAddresses().has(parsed.toString())
  }

  #ownAddresses(): ReadonlySet<string> {
    const now = performance.now()
    if (now >= this.#ownUntil) {
      this.#own = new Set([...ownAddresses(), ...this.#told])
      this.#ownUntil = now + OWN_ADDRESSES_MS
    }
    return this.#own
  }
}
