import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** One customer has as many IPv6 addresses as they like within this prefix. */
const IPV6_SITE = 64

/** Returns what limits count as one client: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientNetwork(address: string): string {
  if (isIPv4(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : networkKey(parsed, IPV6_SITE)
}

/** Values by networks (CIDR); an address has the value of the smallest network that it is in. */
export class NetworkTable<T> {
  readonly #values = new Map<string, T>()
  /** How many networks there are of each kind and prefix length; longest first. */
  #prefixes: { readonly kind: 'ipv4' | 'ipv6'; readonly bits: number; networks: number }[] = []

  /** @param cidr `192.0.2.0/24`, `2001:db8::/48`, or an address; anything else is ignored */
  set(cidr: string, value: T): void {
    const network = parseNetwork(cidr)
    if (!network) return
    const { address, bits } = network
    const key = networkKey(address, bits)
    if (!this.#values.has(key)) this.#count(address.kind(), bits, 1)
    this.#values.set(key, value)
  }

  /** Removes a network, unless it has another value by now. */
  delete(cidr: string, value: T): void {
    const network = parseNetwork(cidr)
    if (!network) return
    const { address, bits } = network
    const key = networkKey(address, bits)
    if (this.#values.get(key) === value && this.#values.delete(key)) this.#count(address.kind(), bits, -1)
  }

  find(address: string): T | undefined {
    const parsed = ipaddr.process(address)
    for (const { kind, bits } of this.#prefixes) {
      const value = kind === parsed.kind() ? this.#values.get(networkKey(parsed, bits)) : undefined
      if (value !== undefined) return value
    }
    return undefined
  }

  #count(kind: 'ipv4' | 'ipv6', bits: number, by: number): void {
    const prefix = this.#prefixes.find((one) => one.kind === kind && one.bits === bits)
    if (prefix) prefix.networks += by
    else this.#prefixes.push({ kind, bits, networks: by })
    this.#prefixes = this.#prefixes.filter(({ networks }) => networks > 0).toSorted((a, b) => b.bits - a.bits)
  }
}

function networkKey(address: Address, bits: number): string {
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * index))))
  return `${bytes.join('.')}/${bits}`
}

/** Parses a network or an address; an IPv4-mapped IPv6 network is taken as the IPv4 network. */
function parseNetwork(cidr: string): { readonly address: Address; readonly bits: number } | undefined {
  if (ipaddr.isValidCIDR(cidr)) {
    const [address, bits] = ipaddr.parseCIDR(cidr)
    const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    return mapped ? { address: address.toIPv4Address(), bits: bits - 96 } : { address, bits }
  }
  if (!ipaddr.isValid(cidr)) return undefined
  const address = ipaddr.process(cidr)
  return { address, bits: address.toByteArray().length * 8 }
}
