import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/**
 * An IPv4 or IPv6 address in the one spelling by which it is stored and compared.
 *
 * @param error what to say about anything else
 */
export function ipAddress(error = 'not_an_ip_address') {
  return z
    .string()
    .refine((text) => isIP(text) !== 0, { error, abort: true })
    .overwrite((text) => ipaddr.parse(text).toString())
}

/**
 * What one client can be expected to have: an IPv4 address, or the /64 network of an IPv6 one, from which everybody can take as
 * many addresses as there are (RFC 6177). Limits count this, not the address. Other origins, such as a chat, are their own.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address
  // An IPv4 address in its IPv6 form (`::ffff:192.0.2.1`) is the same client.
  const parsed = ipaddr.process(address)
  return 'parts' in parsed
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}
