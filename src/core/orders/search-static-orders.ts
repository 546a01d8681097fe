import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Readable } from '../database/database.ts'
import { contains, listOf, rowsOf, type ValueOf, valuesAsJson } from '../database/dialect.ts'
import { halfWidth } from '../half-width.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { withColons } from './proxy-formats.ts'
import { isOf, isShown, type Scope, type Showing } from './static-order.ts'

/** Limits of the search field: it travels in the address line, and every line costs a look-up. */
export const SEARCH_LIMITS = { characters: 8_000, lines: 200, fuzzyCharacters: 200 } as const

/** A proxy as people paste it; what is missing matches everything. */
export interface PastedProxy {
  readonly ip: string
  readonly port: number | null
  readonly username: string | null
  readonly password: string | null
}

interface Search {
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
 * Ids of the orders that have one of the pasted proxies. The pasted lines lead, so that each is one step into the index of
 * addresses.
 *
 * @param visible condition on instances `i`: those that may be found
 */
export function ordersOfProxies(proxies: ValueOf<readonly PastedProxy[]>, visible: Expression<SqlBool>) {
  const lines = rowsOf(proxies, { ip: 'text', port: 'integer', username: 'text', password: 'text' }, 'line')
  return expressionBuilder<DB>()
    .selectFrom(lines)
    .crossJoin('instances as i')
    .select('i.orderId')
    .whereRef('i.ip', '=', 'line.ip')
    .where(({ and, or, eb, ref }) =>
      and(
        (['port', 'username', 'password'] as const).map((field) =>
          or([eb(`line.${field}`, 'is', null), eb(`i.${field}`, '=', ref(`line.${field}`))]),
        ),
      ),
    )
    .where(visible)
}

/** Orders looked through in one statement: some ten milliseconds, in which nothing else happens in this process. */
const CHUNK = 5_000

/**
 * Ids of the orders that contain a text anywhere where one may search. No index finds a part of a text, so that all orders of
 * the owners are looked through, and nobody else's: in steps, between which others get their turn.
 */
export async function ordersWithPart(
  db: Readable,
  part: string,
  { showing, ...scope }: Scope & { readonly showing: Showing },
): Promise<number[]> {
  const [orders] = await db.$kysely
    .selectNoFrom(({ selectFrom }) =>
      valuesAsJson(
        selectFrom('staticOrders as o')
          .select('o.id')
          .where(({ ref }) => isOf(scope, ref('o.userId'))),
      ).as('ids'),
    )
    .execute()
  const found: number[] = []
  for (const [index, chunk] of inPieces(orders?.ids ?? [], CHUNK).entries()) {
    if (index > 0) await nextTurn()
    const some = await db.$kysely
      .selectFrom('staticOrders as o')
      .select('o.id')
      .where('o.id', 'in', listOf(chunk))
      .where(({ or, ref, exists, selectFrom }) =>
        or([
          ...(['o.orderNo', 'o.appOrderNo', 'o.remark'] as const).map((field) => contains(ref(field), part)),
          exists(
            selectFrom('instances as i')
              .select('i.id')
              .whereRef('i.orderId', '=', 'o.id')
              .where((i) => isShown(showing, i.ref('i.status')))
              .where((i) =>
                i.or([
                  ...(['i.ip', 'i.username', 'i.password'] as const).map((field) =>
                    contains(i.ref(field), part),
                  ),
                  ...(/^\d{1,5}$/.test(part) ? [i('i.port', '=', Number(part))] : []),
                ]),
              ),
          ),
        ]),
      )
      .execute()
    found.push(...some.map(({ id }) => id))
  }
  return found
}
