import { isIP } from 'node:net'
import { readTable } from '../csv.ts'

/** A line of a list, by the names of its columns; what the list does not say is missing. */
export interface ListedProxy {
  readonly line: number
  readonly record: Readonly<Record<string, string>>
}

/** What a list holds, to know what can be done with it. */
export interface ProxyListContent {
  readonly proxies: number
  /** Whether there are ports, usernames and passwords; else it only names proxies of the stock. */
  readonly credentials: boolean
  readonly products: boolean
  readonly places: boolean
}

/** Of one list: what comes after them is refused by the number of the lines. */
const MOST_LISTED = 20_000
/** Without a heading, the columns are in this order. */
const USUAL = ['ip', 'port', 'username', 'password'] as const

/**
 * Reads proxies as people have them: a CSV whose heading names the columns, or lines without a heading, such as
 * `ip:port:username:password`, `username:password@ip:port`, `ip,port,username,password`, or only `ip` and `ip:port`.
 *
 * @throws validation_error (data: errors, each with line and message)
 */
export function readProxyList(text: string): ListedProxy[] {
  const heading =
    text.split(/\r\n|\n|\r/).find((line) => line.trim() !== '' && !/^\uFEFF?\s*sep=/i.test(line)) ?? ''
  const cells = heading.replace('\uFEFF', '').split(/[,\uFF0C;\uFF1B\t]/)
  if (!cells.some((cell) => cell.replaceAll('"', '').trim().toLowerCase() === 'ip')) return plainLines(text)
  return readTable(text, MOST_LISTED + 1).lines
}

function plainLines(text: string): ListedProxy[] {
  return text
    .replace('\uFEFF', '')
    .split(/\r\n|\n|\r/)
    .flatMap((each, at) => {
      const line = each.trim()
      return line === '' ? [] : [{ line: at + 1, record: plainProxy(line) }]
    })
    .slice(0, MOST_LISTED)
}

/** `ip:port` and `ip:port:username:password`; an IPv6 address stands in brackets. */
const WITH_COLONS = /^(?:\[([^\]]+)\]|([^:,;\s]+)):(\d+)(?::([^:\s]+):([^:\s]+))?$/
const USER_FIRST = /^(?:\w+:\/\/)?([^:@\s]+):([^:@\s]+)@(?:\[([^\]]+)\]|([^:\s]+)):(\d+)$/

function plainProxy(line: string): Record<string, string> {
  const [, username, password, six, four, userPort] = USER_FIRST.exec(line) ?? []
  if (username && password) return { ip: six ?? four ?? '', port: userPort ?? '', username, password }
  const [, bracketed, ip, port, name, secret] = WITH_COLONS.exec(line) ?? []
  if (port !== undefined)
    return {
      ip: bracketed ?? ip ?? '',
      port,
      ...(name !== undefined && secret !== undefined && { username: name, password: secret }),
    }
  if (isIP(line) !== 0) return { ip: line }
  const cells = line.split(/[,\uFF0C;\s]+/)
  return Object.fromEntries(cells.flatMap((cell, at) => (USUAL[at] ? [[USUAL[at], cell]] : [])))
}

/** What a list holds; a column counts where any line fills it. */
export function contentOf(list: readonly ListedProxy[]): ProxyListContent {
  const has = (column: string) => list.some(({ record }) => (record[column] ?? '') !== '')
  return {
    proxies: list.length,
    credentials: has('username') || has('password'),
    products: has('product_no'),
    places: has('country_code'),
  }
}

/** The proxies of a list as `addressOrProxy` takes them. */
export function namesOf(list: readonly ListedProxy[]): string[] {
  return list.map(({ record: { ip = '', port = '' } }) => {
    if (port === '') return ip
    return isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`
  })
}
