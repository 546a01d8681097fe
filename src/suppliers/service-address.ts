import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { SupplierFault } from '../core/supply/driver.ts'

const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/**
 * The address of a supplier's API, without a slash at the end: https, or http on this machine and in private networks (an address,
 * `localhost`, or a name without a dot, which only a private network has).
 *
 * @throws SupplierFault `misconfigured`
 */
export function serviceAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw misconfigured('is not an http(s) URL')
  if (url.username !== '' || url.password !== '') throw misconfigured('must not contain credentials')
  if (url.search !== '' || url.hash !== '') throw misconfigured('must not have a query')
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname))
    throw misconfigured('must be https; http is for this machine and private networks only')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function misconfigured(what: string): SupplierFault {
  return new SupplierFault('misconfigured', `the address of the supplier ${what}`)
}

function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return PRIVATE.has(ipaddr.process(address).range())
  return address === 'localhost' || address.endsWith('.localhost') || !address.includes('.')
}
