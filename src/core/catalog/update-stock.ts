import type { ExpressionBuilder } from 'kysely'
import type { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { badFile, type BadLine } from '../csv.ts'
import { compiled } from '../database/compiled.ts'
import { rowsOf } from '../database/dialect.ts'
import { DELIVERED_BEFORE } from './stock.ts'
import { wasDelivered } from './stock-conditions.ts'
import { type Filled, type Numbered, ProxyLine, readStockLines } from './stock-lines.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Gives proxies of the stock other credentials, so that a former customer cannot use them any more; resting proxies are for sale
 * again. Every line is checked first, then all are applied or none. On a shared address the username identifies the proxy and cannot
 * change. Where several proxies match, the port identifies one of them; otherwise the port can change, too.
 *
 * @param csv text of the file with the header `ip,port,username,password`
 * @param filled see {@link readStockLines}; `{}` for any list
 * @throws validation_error (data: errors, each with line and message); credentials are never repeated in a message
 */
export function updateStock(
  deps: Essentials,
  csv: string,
  dryRun = false,
  filled?: Filled,
): Promise<{ readonly updated: number; readonly dryRun: boolean }> {
  const lines = readStockLines(csv, ChangedLine, filled)
  return deps.db.write(async (tx) => {
    const found = await findProxies(tx, { lines })
    const bad = conflicts(found)
    if (bad.length > 0) throw badFile(bad)
    if (!dryRun)
      await tx.$kysely
        .updateTable('stockIps')
        .from(rowsOf(changesOf(lines, found), { id: 'integer', ...CREDENTIALS }, 'line'))
        .set(({ ref }) => ({
          port: ref('line.port'),
          username: ref('line.username'),
          password: ref('line.password'),
          resting: false,
        }))
        .whereRef('stockIps.id', '=', 'line.id')
        .execute()
    return { updated: lines.length, dryRun }
  })
}

const ChangedLine = ProxyLine.extend({ port: ProxyLine.shape.port.transform(Number) })
type Line = Numbered<z.output<typeof ChangedLine>>

const CREDENTIALS = { ip: 'text', port: 'integer', username: 'text', password: 'text' } as const

type LineAndProxy = ExpressionBuilder<{ s: DB['stockIps']; line: Line }, 's' | 'line'>

/** Expression: 1 for a proxy that is on the port of its line, else 0. */
function onPort({ eb, ref }: LineAndProxy) {
  return eb.case().when('s.port', '=', ref('line.port')).then(1).else(0).end()
}

/**
 * Finds the proxy of each line, in the order of the lines. `candidates` is the number of proxies that the line may refer to: the one
 * on its port, or all on the address when none is on that port; `known`, whether its credentials were delivered before.
 */
const findProxies = compiled<{ lines: readonly Line[] }>()((db, { lines }) =>
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

type FoundProxy = Awaited<ReturnType<typeof findProxies>>[number]

function changesOf(lines: readonly Line[], found: readonly FoundProxy[]) {
  const proxies = new Map(found.map(({ line, proxy }) => [line, proxy]))
  return lines.flatMap((line) => {
    const id = proxies.get(line.line) ?? null
    return id === null ? [] : [{ ...line, id }]
  })
}

/** Finds the lines that cannot be applied: proxy unknown, ambiguous, in use or named twice, or credentials delivered before. */
function conflicts(found: readonly FoundProxy[]): BadLine[] {
  const seen = new Set<number>()
  return found.flatMap(({ line, proxy, orderNo, candidates, known }) => {
    if (proxy === null) return { line, message: 'is no proxy of the stock', reason: 'not_in_stock' }
    if (candidates > 1)
      return {
        line,
        message: 'may mean several proxies on this address: the port must be that of one',
        reason: 'several',
      }
    if (orderNo !== null) return { line, message: `is in use by the order ${orderNo}`, reason: 'in_use' }
    if (seen.has(proxy)) return { line, message: 'comes twice', reason: 'twice' }
    seen.add(proxy)
    if (known) return { line, message: DELIVERED_BEFORE, reason: 'delivered' }
    return []
  })
}
