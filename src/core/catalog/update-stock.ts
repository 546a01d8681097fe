import type { ExpressionBuilder } from 'kysely'
import type { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { badFile, type BadLine } from '../csv.ts'
import { compiled } from '../database/compiled.ts'
import { rowsOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { DELIVERED_BEFORE } from './stock.ts'
import { wasDelivered } from './stock-conditions.ts'
import { type Numbered, ProxyLine, readStockLines } from './stock-lines.ts'

/**
 * Gives proxies of the stock other credentials: who had one before must not get into it with the next customer. Those that rest
 * are for sale again. Every line is checked first, then all are taken or none. A shared address has one proxy per username, which stays what it is; where an
 * address has several proxies, the port says which one is meant, else it may change, too.
 *
 * @param csv text of the file with the header `ip,port,username,password`
 * @throws validation_error (data: errors, each with line and message); credentials are never repeated in a message
 */
export function updateStock(
  deps: CoreDeps,
  csv: string,
  dryRun = false,
): Promise<{ readonly updated: number; readonly dryRun: boolean }> {
  const lines = readStockLines(csv, ChangedLine)
  return deps.db.write(async (tx) => {
    const found = await findMeant(tx, { lines })
    const bad = conflicts(found)
    if (bad.length > 0) throw badFile(bad)
    if (!dryRun) await changeCredentials(tx, { changes: changesOf(lines, found) })
    return { updated: lines.length, dryRun }
  })
}

const ChangedLine = ProxyLine.extend({ port: ProxyLine.shape.port.transform(Number) })
type Line = Numbered<z.output<typeof ChangedLine>>

const CREDENTIALS = { ip: 'text', port: 'integer', username: 'text', password: 'text' } as const

type MeantRow = ExpressionBuilder<{ s: DB['stockIps']; line: Line }, 's' | 'line'>

/** 1 for a proxy that is on the port of its line, else 0. */
function onPort({ eb, ref }: MeantRow) {
  return eb.case().when('s.port', '=', ref('line.port')).then(1).else(0).end()
}

/**
 * The proxies that lines mean: `candidates` are as many as a line may mean, which are the one on its port, or all on the address
 * when none is; `known`, whether a customer has had its credentials. In the order of the lines.
 */
const findMeant = compiled<{ lines: readonly Line[] }>()((db, { lines }) =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom(rowsOf(lines, { line: 'integer', ...CREDENTIALS }, 'line'))
        .select('line.line')
        .select((line) => wasDelivered(line).as('known'))
        .select(({ selectFrom: from }) => {
          const meant = from('stockIps as s')
            .whereRef('s.ip', '=', 'line.ip')
            .where(({ eb, or, ref }) => or([eb('s.seat', '=', ''), eb('s.seat', '=', ref('line.username'))]))
          return [
            meant.select('s.id').orderBy(onPort, 'desc').orderBy('s.id').limit(1).as('proxy'),
            meant
              .select((row) =>
                row
                  .case()
                  .when(row.fn.max(onPort(row)), '=', 1)
                  .then(row.lit(1))
                  .else(row.fn.countAll<number>())
                  .end()
                  .as('count'),
              )
              .$asScalar()
              .$notNull()
              .as('candidates'),
          ]
        })
        .as('meant'),
    )
    .leftJoin('stockIps as s', 's.id', 'meant.proxy')
    .leftJoin('staticOrders as o', 'o.id', 's.orderId')
    .select(['meant.line', 'meant.proxy', 'meant.candidates', 'meant.known', 'o.orderNo'])
    .orderBy('meant.line'),
)

const changeCredentials = compiled<{ changes: readonly (Line & { id: number })[] }>()((db, { changes }) =>
  db
    .updateTable('stockIps')
    .from(rowsOf(changes, { id: 'integer', ...CREDENTIALS }, 'line'))
    .set(({ ref }) => ({
      port: ref('line.port'),
      username: ref('line.username'),
      password: ref('line.password'),
      resting: false,
    }))
    .whereRef('stockIps.id', '=', 'line.id'),
)

type Meant = Awaited<ReturnType<typeof findMeant>>[number]

function changesOf(lines: readonly Line[], found: readonly Meant[]) {
  const proxies = new Map(found.map(({ line, proxy }) => [line, proxy]))
  return lines.flatMap((line) => {
    const id = proxies.get(line.line) ?? null
    return id === null ? [] : [{ ...line, id }]
  })
}

/** What the stock says against the lines: proxies that it does not have, that are in use, or that come twice, and credentials that a customer has had. */
function conflicts(found: readonly Meant[]): BadLine[] {
  const seen = new Set<number>()
  return found.flatMap(({ line, proxy, orderNo, candidates, known }) => {
    if (proxy === null) return { line, message: 'is no proxy of the stock' }
    if (candidates > 1)
      return { line, message: 'may mean several proxies on this address: the port must be that of one' }
    if (orderNo !== null) return { line, message: `is in use by the order ${orderNo}` }
    if (seen.has(proxy)) return { line, message: 'comes twice' }
    seen.add(proxy)
    if (known) return { line, message: DELIVERED_BEFORE }
    return []
  })
}
