import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ownAddresses } from '../core/public-addresses.ts'

/** Headers in which reverse proxies name the client. */
const WORDS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port']
/** How long the resolved addresses of exits are used. */
const FRESH_MS = 10_000

/**
 * Removes the headers that name clients from requests that come from an exit without checks of its targets. Its users may reach this
 * service, and could pose as anybody where the exit's address is that of a trusted proxy (rules 12.15).
 *
 * @param hosts names and addresses of these exits
 */
export function distrustExits(server: FastifyInstance, hosts: () => Promise<readonly string[]>): void {
  let known = { addresses: Promise.resolve<ReadonlySet<string>>(new Set()), until: -Infinity }
  server.addHook('onRequest', async ({ raw: { headers, socket } }) => {
    const words = WORDS.filter((name) => headers[name] !== undefined)
    if (words.length === 0) return
    const now = performance.now()
    if (now >= known.until) known = { addresses: addressesOf(await hosts()), until: now + FRESH_MS }
    const addresses = await known.addresses
    if (addresses.has(ipaddr.process(socket.remoteAddress ?? '::').toString()))
      for (const name of words) delete headers[name]
  })
}

async function addressesOf(hosts: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(hosts.map(resolved))
  const addresses = new Set(found.flat())
  const own = ['127.0.0.1', '::1', ...ownAddresses()]
  const isHere = own.some((address) => addresses.has(address)) || [...addresses].some(isLoopback)
  return isHere ? new Set([...addresses, ...own]) : addresses
}

async function resolved(host: string): Promise<string[]> {
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => ipaddr.process(address).toString())
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === 'loopback'
}
