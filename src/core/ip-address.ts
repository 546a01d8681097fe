import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/**
 * Makes the schema of an IPv4 or IPv6 address in the canonical spelling, in which it is stored and compared.
 *
 * @param error message for anything else
 */
export function ipAddress(error = 'not_an_ip_address') {
  return z
    .string()
    .refine((text) => isIP(text) !== 0, { error, abort: true })
    .overwrite((text) => ipaddr.parse(text).toString())
}

/** An address, or a proxy on it: `192.0.2.1`, `192.0.2.1:8000`, `2001:db8::1`, `[2001:db8::1]:8000`. */
export const addressOrProxy = z.string().transform((text, context): { ip: string; port: number | null } => {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const ip = bracketed ?? plain ?? text
  if (isIP(ip) === 0) {
    context.addIssue({ code: 'custom', message: 'not_an_ip_address' })
    return z.NEVER
  }
  return { ip: ipaddr.parse(ip).toString(), port: port === undefined ? null : Number(port) }
})

const NEVER_A_PROXY = new Set(['unspecified', 'loopback', 'linkLocal', 'multicast', 'broadcast'])

/**
 * Whether customers might reach a proxy there. A private address may be in their own network; loopback, link-local, multicast and
 * broadcast addresses never are.
 */
export function canBeProxy(ip: string): boolean {
  return !NEVER_A_PROXY.has(ipaddr.process(ip).range())
}

/** A site gets a network of this prefix length, with more addresses than any limit could count (RFC 6177). */
const IPV6_PREFIX = 48

/**
 * Returns the network that limits count as one client: an IPv4 address, or the /48 network of an IPv6 address. Other origins, such as a
 * chat, are returned as they are.
 *
 * @param ipv4Prefix 24 to count all addresses of a /24 network as one client
 */
export function networkOf(address: string, ipv4Prefix: 24 | 32 = 32): string {
  if (isIP(address) === 0) return address
  // An IPv4 address in its IPv6 form (`::ffff:192.0.2.1`) is the same client.
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${ipv4Prefix}`).toString()}/${ipv4Prefix}`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_PREFIX}`).toString()}/${IPV6_PREFIX}`
}
