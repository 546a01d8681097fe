import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

declare module 'fastify' {
  interface FastifyRequest {
    /** Address of the client (rules 1.23), for limits, API keys and logs. */
    readonly clientAddress: string
  }
}

/** Bits of an address, by IP version. */
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** Whether a text is an address or a CIDR range. */
export function isAddressOrRange(text: string): boolean {
  const [host = '', length, ...rest] = text.split('/')
  const bits = BITS[isIP(host)]
  if (bits === undefined || rest.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
}

/**
 * Returns a test whether an address is that of a trusted reverse proxy.
 *
 * @param proxies see {@link isAddressOrRange}
 */
export function trustOf(proxies: readonly string[]): (address: string | undefined) => boolean {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [host = '', length] = proxy.split('/')
    const family = isIP(host) === 6 ? 'ipv6' : 'ipv4'
    if (length === undefined) trusted.addAddress(host, family)
    else trusted.addSubnet(host, Number(length), family)
  }
  return (address = '') =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Returns the address of the client: the peer of the connection or, when that is a trusted proxy, the address that it names, and so
 * on through all trusted proxies. Where a proxy names something that is no address, the last known address counts.
 */
export function clientOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: (address: string) => boolean,
): string {
  let client = socket.remoteAddress ?? ''
  if (!isTrusted(client)) return client
  for (const named of namedIn(headers).toReversed()) {
    const address = addressIn(named)
    if (address === undefined) return client
    client = address
    if (!isTrusted(client)) return client
  }
  return client
}

/** Returns the clients that proxies name, the nearest proxy last. `Forwarded` counts where `X-Forwarded-For` is missing. */
function namedIn({ 'x-forwarded-for': list, forwarded }: IncomingMessage['headers']): string[] {
  const listed = [list ?? []].flat().join()
  if (listed.trim() !== '') return listed.split(',')
  return forwarded === undefined ? [] : forwardedFor(forwarded)
}

/** Returns the `for` of each element (RFC 7239, 4); empty where an element has none. */
function forwardedFor(header: string): string[] {
  return dividedBy(',', header).map((element) => {
    const pairs = dividedBy(';', element).map((pair) => pair.trim())
    return pairs.find((pair) => /^for=/i.test(pair))?.slice('for='.length) ?? ''
  })
}

/** Splits a text at a divider, except inside quotation marks. */
function dividedBy(divider: ',' | ';', text: string): string[] {
  return (
    text.match(
      divider === ',' ? /(?:"(?:[^"\\]|\\.)*(?:"|$)|[^",])+/g : /(?:"(?:[^"\\]|\\.)*(?:"|$)|[^";])+/g,
    ) ?? []
  )
}

/** Returns the address in a node (RFC 7239, 6), with or without quotes, brackets and port; undefined where there is none. */
function addressIn(node: string): string | undefined {
  const text = node.trim().replace(/^"(.*)"$/, (_, quoted: string) => quoted.replaceAll(/\\(.)/g, '$1'))
  const [, bracketed, four] = /^(?:\[([^\]]*)\]|([^:]*))(?::(?:\d{1,5}|_[\w.-]+))?$/.exec(text) ?? []
  return [bracketed, four, text].find((address) => address !== undefined && isIP(address) !== 0)
}
