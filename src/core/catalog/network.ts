import ipaddr from 'ipaddr.js'

/**
 * The network of an address, for handing out addresses of different ones: /24 of IPv4, /48 of IPv6.
 *
 * @param ip in the spelling of `ipAddress`
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip.slice(0, ip.lastIndexOf('.') + 1)
  return ipaddr.IPv6.parse(ip)
    .parts.slice(0, 3)
    .map((part) => part.toString(16))
    .join(':')
}
