import ipaddr from 'ipaddr.js'

/**
 * Returns the network of an address, by which an order gets addresses of different networks: /24 for IPv4, /48 for IPv6.
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
