import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of whoever sent the request (rules 1.23): what limits, keys and logs go by. */
    readonly clientAddress: string
  }
}

/** Prefix lengths of addresses. */
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** Whether a text is an address or a CIDR range. */
export function isAddressOrRange(text: string): boolean {
  const [host = '', length, ...rest] = text.split('/')
  const bits = BITS[isIP(host)]
  if (bits === undefined || rest.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
}

/**
 * Whether an address is that of a reverse proxy whose word counts.
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
 * Who sent a request: the peer of the connection, or, when that is a trusted proxy, whom it names, and so on through all trusted
 * proxies. What a proxy names and is no address counts for nothing: the client is the last address that is known.
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

/** What proxies say, the nearest one last. `Forwarded` counts where `X-Forwarded-For` is missing. */
function namedIn({ 'x-forwarded-for': list, forwarded }: IncomingMessage['headers']): string[] {
  const listed = [list ?? []].flat().join()
  if (listed.trim() !== '') return listed.split(',')
  return forwarded === undefined ? [] : forwardedFor(forwarded)
}

/** The `for` of each element (RFC 7239, 4); nobody where an element has none. */
function forwardedFor(header: string): string[] {
  return dividedBy(',', header).map((element) => {
    const pairs = dividedBy(';', element).map((pair) => pair.trim())
    return pairs.find((pair) => /^for=/i.test(pair))?.slice('for='.length) ?? ''
  })
}

/** What stands in quotation marks divides nothing. */
function dividedBy(divider: ',' | ';', text: string): string[] {
  return (
    text.match(
      divider === ',' ? /(?:"(?:[^"\\]|\\.)*(?:"|$)|[^",])+/g : /(?:"(?:[^"\\]|\\.)*(?:"|$)|[^";])+/g,
    ) ?? []
  )
}

/** An address as a node of RFC 7239, 6 is written: with or without quotes, brackets and port; undefined for what names none. */
function addressIn(node: string): string | undefined {
  const text = node.trim().replace(/^"(.*)"$/, (_, quoted: string) => quoted.replaceAll(/\\(.)/g, '$1'))
  const [, bracketed, four] = /^(?:\[([^\]]*)\]|([^:]*))(?::(?:\d{1,5}|_[\w.-]+))?$/.exec(text) ?? []
  return [bracketed, four, text].find((address) => address !== undefined && isIP(address) !== 0)
}
