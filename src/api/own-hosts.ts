import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const WILDCARDS = ['0.0.0.0', '::']

/**
 * Whether a `Host` header names this machine. A web page of somebody else can let its own name lead here (DNS rebinding), but then
 * that name is what the browser sends.
 *
 * @param own host names and addresses under which people reach this server besides the loopback ones; with a wildcard address
 *   among them any IP address will do, as rebinding needs a name
 */
export function isOwnHost(host: string, own: readonly string[]): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1')
  if (name === 'localhost' || own.includes(name)) return true
  if (isIP(name) === 0) return false
  return ipaddr.process(name).range() === 'loopback' || own.some((address) => WILDCARDS.includes(address))
}
