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

/** Most lines read from one list: more than any use accepts, so that a longer list is refused and not cut. */
const MOST_LISTED = 20_000
/** Order of the columns in a list without a heading. */
const USUAL = ['ip', 'port', 'username', 'password'] as const

/**
 * Reads proxies as people have them: a CSV whose heading names the columns, or lines without a heading, such as
 * `ip:port:username:password`, `username:password:ip:port`, both with `@` in the middle and as URLs, `ip,port,username,password`, or
 * only `ip` and `ip:port`.
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

/** `http://…`, as URLs begin. */
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
/** A host and a port; an IPv6 address stands in brackets. */
const ENDPOINT = String.raw`(?:\[([^\]]+)\]|([^:@,;\s]+)):(\d+)`
const ENDPOINT_ONLY = new RegExp(`^${ENDPOINT}$`)
const ENDPOINT_FIRST = new RegExp(`^${ENDPOINT}[:@]([^:\\s]+):([^:\\s]+)$`)
const LOGIN_FIRST = new RegExp(`^([^:\\s]+):([^:\\s]+)[:@]${ENDPOINT}$`)

/** Reads a proxy as vendors write it: the position of its address tells what the other parts are. */
function plainProxy(line: string): Record<string, string> {
  const isUrl = SCHEME.test(line)
  const text = line.replace(SCHEME, '').replace(isUrl ? /\/$/ : /$^/, '')
  const [, ...only] = ENDPOINT_ONLY.exec(text) ?? []
  if (only.length > 0) return endpoint(only)
  const [, ...first] = ENDPOINT_FIRST.exec(text) ?? []
  const [, ...last] = LOGIN_FIRST.exec(text) ?? []
  const [six, four, port, ...behind] = first
  if (behind.length > 0 && (isIP(six ?? four ?? '') !== 0 || last.length === 0))
    return { ...endpoint([six, four, port]), ...login(behind, isUrl) }
  const [username, password, ...place] = last
  if (last.length > 0) return { ...endpoint(place), ...login([username, password], isUrl) }
  if (isIP(line) !== 0) return { ip: line }
  const cells = line.split(/[,\uFF0C;\s]+/)
  return Object.fromEntries(cells.flatMap((cell, at) => (USUAL[at] ? [[USUAL[at], cell]] : [])))
}

function endpoint([six, four, port]: readonly (string | undefined)[]): { ip: string; port: string } {
  return { ip: six ?? four ?? '', port: port ?? '' }
}

/** @param isUrl characters of a URL's userinfo may be written as `%40` (RFC 3986, 3.2.1) */
function login([username = '', password = '']: readonly (string | undefined)[], isUrl: boolean) {
  return isUrl ? { username: decoded(username), password: decoded(password) } : { username, password }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the numbers of the lines of a list that name no address. */
export function linesWithoutAddress(list: readonly ListedProxy[]): number[] {
  return list.flatMap(({ line, record: { ip = '' } }) => (isIP(ip) === 0 ? [line] : []))
}

/** Tells what a list holds; a column counts where any line fills it. */
export function contentOf(list: readonly ListedProxy[]): ProxyListContent {
  const has = (column: string) => list.some(({ record }) => (record[column] ?? '') !== '')
  return {
    proxies: list.length,
    credentials: has('username') || has('password'),
    products: has('product_no'),
    places: has('country_code'),
  }
}

/** Returns the proxies of a list in the spelling that `addressOrProxy` parses. */
export function namesOf(list: readonly ListedProxy[]): string[] {
  return list.map(({ record: { ip = '', port = '' } }) => {
    if (port === '') return ip
    return isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`
  })
}
