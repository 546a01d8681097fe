import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

/** Whether a host is this machine, or an address in a private network. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || (ipaddr.isValid(host) && PRIVATE.has(ipaddr.process(host).range()))
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
