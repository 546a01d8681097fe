import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/**
 * An IPv4 or IPv6 address in the one spelling by which it is stored and compared.
 *
 * @param error what to say about anything else
 */
export function ipAddress(error = 'not_an_ip_address') {
  return z
    .string()
    .refine((text) => isIP(text) !== 0, { error, abort: true })
    .overwrite((text) => ipaddr.parse(text).toString())
}
