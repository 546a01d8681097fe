import { isIP } from 'node:net'

/** The formats in which proxies are written; a chat chooses one, the API uses the first. */
export const PROXY_FORMATS = ['colon', 'at', 'http', 'socks5', 'csv'] as const
export type ProxyFormat = (typeof PROXY_FORMATS)[number]

interface Proxy {
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
}

/** Formats the address of a proxy: `192.0.2.1:8000`, `[2001:db8::1]:8000`. */
export function addressOf({ ip, port }: Pick<Proxy, 'ip' | 'port'>): string {
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}`
}

/** Formats a proxy as one line; an IPv6 address stands in brackets where a colon follows it. */
export function formatProxy(format: ProxyFormat, proxy: Proxy): string {
  const { ip, port, username, password } = proxy
  const address = addressOf(proxy)
  switch (format) {
    case 'colon':
      return `${address}:${username}:${password}`
    case 'at':
      return `${username}:${password}@${address}`
    case 'http':
    case 'socks5':
      return `${format}://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${address}`
    case 'csv':
      return [ip, port, username, password].map(csvField).join(',')
  }
}

/** Number of columns of a proxy in a table: address, port, username, password. */
const COLUMNS = 4

function csvField(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Converts a line in one of these formats, or of a table with these columns, to `ip:port:user:pass`; any other stays as it is. */
export function withColons(line: string): string {
  const cells = cellsOf(line)
  const [ip = '', ...others] = cells.slice(cells.findIndex((cell) => isIP(cell) !== 0)).slice(0, COLUMNS)
  if (others.length > 0 && isIP(ip) !== 0) return [isIP(ip) === 6 ? `[${ip}]` : ip, ...others].join(':')
  const [, scheme, credentials = '', address] = /^(\w+:\/\/)?(.*)@(.*)$/.exec(line) ?? []
  return address === undefined ? line : `${address}:${scheme ? decoded(credentials) : credentials}`
}

/** The cells of a line of CSV, or of one that was copied from a spreadsheet (tabs). */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|[,\t])(?:"((?:[^"]|"")*)"|([^,\t]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  )
}

/** Decodes a part of a URL; a text that is no valid encoding stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
