import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { isLocalName, PublicAddresses } from '../public-addresses.ts'

const MOST_CHARACTERS = 500
/** Lowest port that is allowed beside 443: those below are of services that are no web servers. */
const FIRST_FREE_PORT = 1024
const publicAddresses = new PublicAddresses()

/** Returns the host of a URL as name servers and sockets take it: an IPv6 address without brackets, a name without the trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Tells whether a host name or address is a loopback of this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
}

/**
 * Tells whether deliveries may go to an address (rules 19.4): one of the public internet that is not this machine's.
 *
 * @param loopback the loopback addresses are allowed, too: for tests and the sandbox
 */
export function mayDeliverTo(address: string, loopback: boolean): boolean {
  return (loopback && isLoopback(address)) || publicAddresses.has(address)
}

/**
 * Makes the schema of the address of a webhook (rules 19.4). It checks what needs no resolving of the name, which is done for each
 * connection. The URL standard turns all spellings of an address into one.
 *
 * @param loopback http to this machine is allowed, too: for tests and the sandbox
 */
export function webhookUrl(loopback: boolean) {
  return z
    .string()
    .trim()
    .max(MOST_CHARACTERS)
    .refine((text) => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text), {
      error: 'not_a_webhook_url',
      abort: true,
    })
    .transform((text) => new URL(text))
    .refine(({ username, password, hash }) => username === '' && password === '' && hash === '', {
      error: 'not_a_webhook_url',
      abort: true,
    })
    .superRefine((url, context) => {
      const host = hostOf(url)
      if (loopback && isLoopback(host)) return
      const refuse = (message: string) => context.addIssue({ code: 'custom', message })
      if (url.protocol !== 'https:') refuse('webhook_not_encrypted')
      else if (isIP(host) === 0 ? isLocalName(host) || !host.includes('.') : !publicAddresses.has(host))
        refuse('webhook_not_public')
      else if (url.port !== '' && Number(url.port) < FIRST_FREE_PORT) refuse('webhook_port_closed')
    })
    .transform((url) => url.href)
}
