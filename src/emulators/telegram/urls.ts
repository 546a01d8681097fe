/**
 * Checks an address of a link or button by Telegram's rules and returns it as Telegram shows it (scheme and path
 * completed, host in lower case).
 *
 * @throws Error whose message is Telegram's reason: `Wrong HTTP URL` (no dot in the host, such as localhost),
 *   `Unsupported URL protocol`, `URL host is empty`, `Only HTTPS links are allowed`, …
 */
export function checkUrl(link: string, options: { httpsOnly?: boolean } = {}): string {
  if (/^(tg|ton|tonsite):/i.test(link)) {
    if (options.httpsOnly) throw new Error('Only HTTPS links are allowed')
    return link
  }
  const [prefix = '', scheme = 'http'] = /^([^:/?#@[\]]*):\/\//.exec(link) ?? []
  if (!/^https?$/i.test(scheme)) throw new Error('Unsupported URL protocol')
  const [authority = ''] = /^[^/?#]*/.exec(link.slice(prefix.length)) ?? []
  const [, login = '', host = '', port] = /^(.*@)?(.*?)(?::(\d*))?$/.exec(authority) ?? []
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) {
    throw new Error('Wrong port number specified in the URL')
  }
  if (host === '') throw new Error('URL host is empty')
  const isIpv6 = /^\[[\da-f:.]+\]$/i.test(host)
  if (!isIpv6 && /[\s"#/:<>?@[\\\]^`{|}]/.test(host)) throw new Error('Disallowed character in URL host')
  if (options.httpsOnly && scheme.toLowerCase() !== 'https') throw new Error('Only HTTPS links are allowed')
  if (!isIpv6 && !host.includes('.')) throw new Error('Wrong HTTP URL')
  const rest = link.slice(prefix.length + authority.length)
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return `${scheme.toLowerCase()}://${login}${host.toLowerCase()}${port === undefined ? '' : `:${port}`}${path}`
}

/** Returns the address as `checkUrl` does, or undefined when it is bad: Telegram shows such a link as plain text. */
export function linkOf(url: string): string | undefined {
  try {
    return checkUrl(url)
  } catch {
    return undefined
  }
}
