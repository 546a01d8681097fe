import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Prisma } from '../../generated/prisma/client.ts'
import { withColons } from './proxy-formats.ts'
import { type Readable, selectJson } from '../database/database.ts'
import { contains } from '../database/like.ts'
import { halfWidth } from '../half-width.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { idsOfNumbers } from './find-static-order.ts'

/** Limits of the search field: it travels in the address line, and every line costs a look-up. */
export const SEARCH_LIMITS = { characters: 8_000, lines: 200, fuzzyCharacters: 200 } as const

/** A proxy as people paste it; what is missing matches everything. */
interface PastedProxy {
  readonly ip: string
  readonly port: number | null
  readonly username: string | null
  readonly password: string | null
}

export interface Search {
  readonly proxies: readonly PastedProxy[]
  /** Whole numbers of orders, of several lines. */
  readonly numbers: readonly string[]
  /** A part of anything, of a single line. */
  readonly part: string | undefined
}

/**
 * What a search text asks for (rules 5.13): lines `ip:port:user:pass` (as much of it as there is, IPv6 alone or in brackets, or in
 * another form in which people get their proxies, a row of a table among them, or in full width) find that proxy by an index; of several lines the others are whole order
 * numbers; a single line that is no address is a part of an order number, IP, username, password or remark, or a port.
 *
 * @returns undefined for a text without anything in it
 */
export function parseSearch(text: string): Search | undefined {
  const lines = [...new Set(text.split(/[\r\n]+/).map((line) => line.trim()))].filter((line) => line !== '')
  if (lines.length === 0) return undefined
  const found = lines.map((line) => ({
    line,
    proxy: parseProxy(line) ?? parseProxy(withColons(line)) ?? parseProxy(halfWidth(line)),
  }))
  const proxies = found.flatMap(({ proxy }) => (proxy ? [proxy] : []))
  const others = found.filter(({ proxy }) => !proxy).map(({ line }) => line)
  return lines.length === 1
    ? { proxies, numbers: [], part: others[0] }
    : { proxies, numbers: others, part: undefined }
}

export function searchLines(text: string): number {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '').length
}

function parseProxy(line: string): PastedProxy | undefined {
  const bare = isIP(line) === 0 ? undefined : line
  const [, v6, v4, rest = ''] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(.*))?$/.exec(line) ?? []
  const ip = bare ?? v6 ?? v4
  if (ip === undefined || isIP(ip) === 0) return undefined
  const [port = '', username = '', ...password] = bare ? [] : rest.split(':')
  if (port !== '' && !/^\d{1,5}$/.test(port)) return undefined
  return {
    ip: ipaddr.parse(ip).toString(),
    port: port === '' ? null : Number(port),
    username: username || null,
    password: password.join(':') || null,
  }
}

/**
 * SQL condition on orders `o`: they have one of the pasted proxies, or one of the numbers.
 *
 * @param visible SQL condition on instances `i`: those that may be found
 */
export function matches({ proxies, numbers }: Search, visible: Prisma.Sql): Prisma.Sql {
  const conditions = [
    ...(proxies.length > 0 ? [Prisma.sql`o.id IN (${ordersOfProxies(proxies, visible)})`] : []),
    ...(numbers.length > 0 ? [Prisma.sql`o.id IN (${idsOfNumbers(numbers)})`] : []),
  ]
  return Prisma.sql`(${Prisma.join(conditions, ' OR ')})`
}

/** The pasted lines lead, so that each is one step into the index of addresses. */
function ordersOfProxies(proxies: readonly PastedProxy[], visible: Prisma.Sql): Prisma.Sql {
  const same = (column: string, name: string) =>
    Prisma.raw(`coalesce(i.${column} = line.value ->> '${name}', 1)`)
  return Prisma.sql`SELECT i.order_id FROM json_each(${JSON.stringify(proxies)}) line
    CROSS JOIN instances i ON i.ip = line.value ->> 'ip' AND ${same('port', 'port')}
    WHERE ${same('username', 'username')} AND ${same('password', 'password')} AND ${visible}`
}

/** Orders looked through in one statement: some ten milliseconds, in which nothing else happens in this process. */
const CHUNK = 5_000

/**
 * Ids of the orders that contain a text anywhere where one may search. No index finds a part of a text, so that all orders of
 * the owners are looked through, and nobody else's: in steps, between which others get their turn.
 *
 * @param owner SQL condition on orders `o`: whose they are
 * @param shown SQL condition on instances `i`, a constant of the code: those that may be found
 */
export async function ordersWithPart(
  db: Readable,
  part: string,
  owner: Prisma.Sql,
  shown: string,
): Promise<number[]> {
  const inInstance = ['i.ip', 'i.username', 'i.password'].map((column) => contains(column, part))
  if (/^\d{1,5}$/.test(part)) inInstance.push(Prisma.sql`i.port = ${Number(part)}`)
  const [ids = []] = await selectJson<number[]>(
    db,
    Prisma.sql`SELECT json_group_array(o.id) AS json FROM static_orders o WHERE ${owner}`,
  )
  const found: number[] = []
  for (const [index, chunk] of inPieces(ids, CHUNK).entries()) {
    if (index > 0) await nextTurn()
    const some = await selectJson<number>(
      db,
      Prisma.sql`SELECT CAST(o.id AS TEXT) AS json FROM static_orders o
        WHERE o.id IN (SELECT value FROM json_each(${JSON.stringify(chunk)}))
          AND (${contains('o.order_no', part)} OR ${contains('o.app_order_no', part)} OR ${contains('o.remark', part)}
            OR EXISTS (SELECT 1 FROM instances i WHERE i.order_id = o.id AND ${Prisma.raw(shown)} AND (${Prisma.join(inInstance, ' OR ')})))`,
    )
    found.push(...some)
  }
  return found
}
