import { Prisma } from '../../generated/prisma/client.ts'
import { badFile, type BadLine } from '../csv.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { DELIVERED_BEFORE, wereDelivered } from './stock.ts'
import { ProxyLine, readStockLines } from './stock-lines.ts'

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
  const lines = readStockLines(csv, ProxyLine)
  return deps.db.write(async (tx) => {
    const found = await find(tx, lines)
    const bad = conflicts(found)
    if (bad.length > 0) throw badFile(bad)
    const updates = lines.map((line, index) => ({ ...line, id: found[index]?.proxy }))
    if (!dryRun)
      await tx.$executeRaw`
        UPDATE stock_ips SET port = CAST(line.value ->> 'port' AS INTEGER), username = line.value ->> 'username',
          password = line.value ->> 'password', resting = 0
        FROM json_each(${JSON.stringify(updates)}) line WHERE stock_ips.id = line.value ->> 'id'`
    return { updated: lines.length, dryRun }
  })
}

/** The proxy that a line means. */
interface Meant {
  readonly line: number
  /** Null when there is none. */
  readonly proxy: number | null
  readonly orderNo: string | null
  /** Whether a customer has had the credentials of the line. */
  readonly known: 0 | 1
  /** How many it may mean: those on its port, or all on the address when none is on this port. */
  readonly candidates: number
}

/** In the order of the lines. */
function find(tx: Tx, lines: readonly object[]): Promise<Meant[]> {
  const meant = Prisma.raw(`s.ip = line.value ->> 'ip' AND s.seat IN ('', line.value ->> 'username')`)
  const samePort = Prisma.raw(`s.port = CAST(line.value ->> 'port' AS INTEGER)`)
  return selectJson<Meant>(
    tx,
    Prisma.sql`SELECT json_object('line', line, 'proxy', s.id, 'orderNo', o.order_no, 'candidates', candidates, 'known', known) AS json FROM (
        SELECT line.key AS nth, line.value ->> 'line' AS line, ${wereDelivered('line.value')} AS known,
          (SELECT s.id FROM stock_ips s WHERE ${meant} ORDER BY ${samePort} DESC LIMIT 1) AS proxy,
          (SELECT iif(max(${samePort}), 1, count(*)) FROM stock_ips s WHERE ${meant}) AS candidates
        FROM json_each(${JSON.stringify(lines)}) line)
      LEFT JOIN stock_ips s ON s.id = proxy LEFT JOIN static_orders o ON o.id = s.order_id ORDER BY nth`,
  )
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
