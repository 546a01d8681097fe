import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** Address of an exit, and the login there. */
export interface ExitUrl {
  /** `http://`, `https://` or `socks5://` with host and port. */
  readonly address: string
  readonly credentials: ExitCredentials | null
}

export interface ExitCredentials {
  readonly username: string
  readonly password: string
}

/** Maximum number of bytes of the username and of the password: SOCKS5 gives each length in one byte (RFC 1929). */
const MOST_BYTES = 255
const NO_HOSTS = new Set(['unspecified', 'multicast', 'broadcast'])

/**
 * The address of an exit as the operator writes it: `socks5://user:pass@host:port`, with `http` and `https` for HTTP proxies.
 * Characters with a meaning in URLs are percent-encoded in username and password. Addresses of private networks are allowed.
 */
export const ExitUrl = z.string().transform((text, context): ExitUrl => {
  const url = parse(text.trim())
  if (url) return url
  context.addIssue({ code: 'custom', message: 'not_an_exit_url' })
  return z.NEVER
})

function parse(text: string): ExitUrl | undefined {
  const [, scheme = '', login, host = '', port = ''] =
    /^(https?|socks5):\/\/(?:([^\s/?#]*)@)?(\[[\da-f:.]+\]|[^\s/?#@:[\]\\]+):(\d{1,5})\/?$/i.exec(text) ?? []
  if (Number(port) < 1 || Number(port) > 65_535 || !URL.canParse(`http://${host}`)) return undefined
  // The parser of URLs reads other spellings of IPv4 addresses, too.
  const { hostname } = new URL(`http://${host}`)
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(bare) && NO_HOSTS.has(ipaddr.process(bare).range())) return undefined
  const credentials = login === undefined ? null : credentialsOf(login)
  if (credentials === undefined) return undefined
  return { address: `${scheme.toLowerCase()}://${hostname}:${Number(port)}`, credentials }
}

/** @returns undefined for what cannot be sent to a proxy */
function credentialsOf(login: string): ExitCredentials | undefined {
  const colon = login.indexOf(':')
  const [username, password] =
    colon < 0 ? [decoded(login), ''] : [decoded(login.slice(0, colon)), decoded(login.slice(colon + 1))]
  const isGood = (part: string | undefined): part is string =>
    part !== undefined && Buffer.byteLength(part) <= MOST_BYTES && !/\p{Cc}/u.test(part)
  // In the header of HTTP, a colon ends the username.
  return isGood(username) && isGood(password) && username !== '' && !username.includes(':')
    ? { username, password }
    : undefined
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Returns the URL with its credentials, as clients of proxies take it. */
export function toUrl({ address, credentials }: ExitUrl): string {
  if (credentials === null) return address
  const login = [credentials.username, credentials.password].map(encodeURIComponent).join(':')
  return address.replace('://', `://${login}@`)
}
