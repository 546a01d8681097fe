import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Networks in which the operator may use http. */
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])
/** Names that no public name server resolves: without a dot, or below a domain for private use. */
const PRIVATE_NAME = /^(?:[^.]+|.+\.(?:localhost|local|internal|lan|home\.arpa))$/

/**
 * Whether the operator may name this address of a supplier: https, or http on this machine and in private networks. An address with
 * a username or password in it is not allowed.
 */
export function isAllowed(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  return protocol === 'http:' && isPrivate(hostname.replace(/^\[(.*)\]$/, '$1'))
}

function isPrivate(host: string): boolean {
  return isIP(host) === 0 ? PRIVATE_NAME.test(host) : PRIVATE_RANGES.has(ipaddr.process(host).range())
}
