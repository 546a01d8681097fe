import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Readable } from '../database/database.ts'
import { contains, listOf, rowsOf, type ValueOf, valuesAsJson } from '../database/dialect.ts'
import { halfWidth } from '../half-width.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { withColons } from '../proxy-formats.ts'
import { isOf, isShown, type Scope, type Showing } from './static-order.ts'

/** Limits of the search text: it is sent in the URL, and every line is looked up. */
export const SEARCH_LIMITS = { characters: 8_000, lines: 200, fuzzyCharacters: 200 } as const

/** A proxy as people paste it; null matches any value. */
export interface PastedProxy {
  readonly ip: string
  readonly port: number | null
  readonly username: string | null
  readonly password: string | null
}

interface Search {
  readonly proxies: readonly PastedProxy[]
  /** Complete order numbers, when the text has several lines. */
  readonly numbers: readonly string[]
  /** Text to be contained in any field, when there is a single line. */
  readonly part: string | undefined
}

/**
 * Parses a search text (rules 5.13). A line `ip:port:user:pass` is a proxy, which an index finds. It may lack later parts, have an
 * IPv6 address alone or in brackets, be in another format of proxies or in full-width characters, or be a row of a table. Of several
 * lines, the others are complete order numbers. A single line that is no address is a part of an order number, IP, username,
 * password or remark, or a port.
 *
 * @returns undefined for an empty text
 */
export function parseSearch(text: string): Search | undefined {
  const lines = [...new Set(text.split(/[\r\n]+/).map((line) => line.trim()))].filter((line) => line !== '')
  if (lines.length === 0) return undefined
  const found = lines.map((line) => ({ line, proxy: pastedProxy(line) }))
  const proxies = found.flatMap(({ proxy }) => (proxy ? [proxy] : []))
  const others = found.filter(({ proxy }) => !proxy).map(({ line }) => line)
  return lines.length === 1
    ? { proxies, numbers: [], part: others[0] }
    : { proxies, numbers: others, part: undefined }
}

export function searchLines(text: string): number {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '').length
}

/** Parses the proxy that a line names, in any of the formats that people paste; undefined where it names none. */
export function pastedProxy(line: string): PastedProxy | undefined {
  return parseProxy(line) ?? parseProxy(withColons(line)) ?? parseProxy(halfWidth(line))
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
 * Query of the ids of orders that have one of the pasted proxies, or had it before it was replaced.
 *
 * @param visible condition on instances `i`: the proxy may be found
 */
export function ordersOfProxies(proxies: ValueOf<readonly PastedProxy[]>, visible: Expression<SqlBool>) {
  return expressionBuilder<DB>()
    .selectFrom('instances as i')
    .select('i.orderId')
    .where('i.id', 'in', proxiesPasted(proxies))
    .where(visible)
}

/**
 * Query of the ids of the pasted proxies, also by the address that one had before it was replaced. The pasted lines are the outer
 * loop of the join, so that each is one look-up in the index of addresses.
 */
export function proxiesPasted(proxies: ValueOf<readonly PastedProxy[]>) {
  const lines = rowsOf(proxies, { ip: 'text', port: 'integer', username: 'text', password: 'text' }, 'line')
  return expressionBuilder<DB>()
    .selectFrom(lines)
    .crossJoin('instances as n')
    .select('n.id')
    .whereRef('n.ip', '=', 'line.ip')
    .where(({ and, or, eb, ref }) =>
      and(
        (['port', 'username', 'password'] as const).map((field) =>
          or([eb(`line.${field}`, 'is', null), eb(`n.${field}`, '=', ref(`line.${field}`))]),
        ),
      ),
    )
    .unionAll(
      // The address that a proxy had before it was replaced; the credentials of that time are not kept.
      expressionBuilder<DB>()
        .selectFrom(lines)
        .crossJoin('replacements as r')
        .select('r.instanceId as id')
        .whereRef('r.oldIp', '=', 'line.ip')
        .where(({ or, eb, ref }) =>
          or([eb('line.port', 'is', null), eb('r.oldPort', '=', ref('line.port'))]),
        ),
    )
}

/** Orders per statement of a search: about ten milliseconds, during which the process does nothing else. */
const CHUNK = 5_000

/**
 * Finds the ids of the orders that contain a text in one of the searched fields. No index finds a part of a text, so all orders in the
 * scope are read, in chunks; other requests are served between the chunks.
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
                  ...(['i.ip', 'i.username', 'i.password', 'i.note'] as const).map((field) =>
                    contains(i.ref(field), part),
                  ),
                  ...(/^\d{1,5}$/.test(part) ? [i('i.port', '=', Number(part))] : []),
                  i.exists(
                    i
                      .selectFrom('replacements as r')
                      .select('r.id')
                      .whereRef('r.instanceId', '=', 'i.id')
                      .where((r) => contains(r.ref('r.oldIp'), part)),
                  ),
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
