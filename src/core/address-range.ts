import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** A range of addresses. */
export interface AddressRange {
  /** The range in the canonical spelling; a single address without a prefix length. */
  readonly cidr: string
  /** First and last address, which compare as texts do: 32 hexadecimal digits, IPv4 addresses in their IPv6 form. */
  readonly low: string
  readonly high: string
}

const BITS = { ipv4: 32, ipv6: 128 } as const

/**
 * Makes the schema of an address or a CIDR range. Bits beyond the prefix are cleared: `192.0.2.7/24` is `192.0.2.0/24`.
 *
 * @param leastPrefix shortest prefixes that are accepted
 */
export function addressRange(leastPrefix: { readonly ipv4: number; readonly ipv6: number }) {
  return z.string().transform((text, context): AddressRange => {
    const range = rangeOf(text)
    if (range && range.prefix >= leastPrefix[range.kind]) return range
    context.addIssue({ code: 'custom', message: range ? 'address_range_too_wide' : 'not_an_address_range' })
    return z.NEVER
  })
}

function rangeOf(
  text: string,
): (AddressRange & { readonly kind: 'ipv4' | 'ipv6'; readonly prefix: number }) | undefined {
  const [, host = '', length] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const isAddress = host.includes(':') ? ipaddr.IPv6.isValid(host) : ipaddr.IPv4.isValidFourPartDecimal(host)
  if (!isAddress) return undefined
  const written = ipaddr.parse(host)
  const address = ipaddr.process(host)
  const kind = address.kind()
  // ::ffff:192.0.2.0/120 is 192.0.2.0/24.
  const shorter = written.kind() === kind ? 0 : 96
  const prefix = length === undefined ? BITS[kind] : Number(length) - shorter
  if (prefix < 0 || prefix > BITS[kind] || NEVER_CLIENTS.has(address.range())) return undefined
  const bits = BITS[kind] - prefix
  const value = (BigInt(`0x${hexOf(address)}`) >> BigInt(bits)) << BigInt(bits)
  const low = value.toString(16).padStart(32, '0')
  const high = (value | ((1n << BigInt(bits)) - 1n)).toString(16).padStart(32, '0')
  const first = ipaddr.process(ipaddr.fromByteArray([...Buffer.from(low, 'hex')]).toString()).toString()
  return { kind, prefix, low, high, cidr: bits === 0 ? first : `${first}/${prefix}` }
}

/** Whether an address is in a range, as {@link addressRange} spells it. */
export function isWithin(address: string, range: string): boolean {
  const [one, all] = [rangeOf(address), rangeOf(range)]
  return one !== undefined && all !== undefined && all.low <= one.low && one.high <= all.high
}

/** Kinds of addresses that no connection comes from. */
const NEVER_CLIENTS = new Set(['unspecified', 'multicast', 'broadcast'])

/** Kinds of addresses that no client of a gateway on the internet has. */
const NO_CLIENTS = new Set(['loopback', 'linkLocal', 'private', 'uniqueLocal', 'carrierGradeNat'])

/** Whether clients of a gateway may come from a range: not from a private network, or the gateway's own machine. */
export function isOfClients({ cidr }: AddressRange): boolean {
  const [first = ''] = cidr.split('/')
  return !NO_CLIENTS.has(ipaddr.process(first).range())
}

function hexOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const v6 = address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address
  return Buffer.from(v6.toByteArray()).toString('hex')
}
