import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { SupplierFault } from './driver.ts'

/** Networks in which the operator may use http. */
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])
/** Names that no public name server resolves: without a dot, or below a domain for private use. */
const PRIVATE_NAME = /^(?:[^.:]+|.+\.(?:localhost|local|internal|lan|home\.arpa))$/

/** Whether a host is this machine, or in a private network. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) ? PRIVATE_RANGES.has(ipaddr.process(host).range()) : PRIVATE_NAME.test(host)
}

/**
 * The address of a supplier's API (rules 11.1): https, or http on this machine and in private networks, because credentials and
 * proxies are sent over it. Credentials, `?` and `#` have no place in it.
 */
export const SupplierUrl = z
  .string()
  .trim()
  .max(300)
  .refine((text) => /^https?:\/\/[^\s?#@\\]+$/i.test(text) && URL.canParse(text), {
    error: 'not_a_supplier_url',
    abort: true,
  })
  .transform((text) => new URL(text).href.replace(/\/+$/, ''))
  .refine((text) => text.startsWith('https:') || isPrivate(new URL(text).hostname), {
    error: 'supplier_url_not_encrypted',
  })

/**
 * Returns, for drivers, the address of a connection without a slash at the end. It is checked once more, because the driver sends
 * credentials to it.
 *
 * @throws SupplierFault `misconfigured`
 */
export function supplierAddress(url: string): string {
  const checked = SupplierUrl.safeParse(url)
  if (checked.success) return checked.data
  throw new SupplierFault(
    'misconfigured',
    'the address of the supplier must be https, or http on this machine and in private networks, without username, ? and #',
  )
}
