import { badFile, type BadLine } from '../csv.ts'
import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ProxyLine, readStockLines } from './stock-lines.ts'

/**
 * Gives proxies of the stock other credentials: who had one before must not get into it with the next customer. Every line is
 * checked first, then all are taken or none. A shared address has one proxy per username, which stays what it is.
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
    const bad = await conflicts(tx, lines)
    if (bad.length > 0) throw badFile(bad)
    if (!dryRun)
      await tx.$executeRaw`
        UPDATE stock_ips SET port = CAST(line.value ->> 'port' AS INTEGER), username = line.value ->> 'username',
          password = line.value ->> 'password'
        FROM json_each(${JSON.stringify(lines)}) line
        WHERE stock_ips.ip = line.value ->> 'ip' AND stock_ips.seat IN ('', line.value ->> 'username')`
    return { updated: lines.length, dryRun }
  })
}

/** What the stock says against the lines: proxies that it does not have, that are in use, or that come twice. */
async function conflicts(tx: Tx, lines: readonly object[]): Promise<BadLine[]> {
  const found = await tx.$queryRaw<{ line: number; proxy: number | null; orderNo: string | null }[]>`
    SELECT line.value ->> 'line' AS line, s.id AS proxy, o.order_no AS orderNo
    FROM json_each(${JSON.stringify(lines)}) line
    LEFT JOIN stock_ips s ON s.ip = line.value ->> 'ip' AND s.seat IN ('', line.value ->> 'username')
    LEFT JOIN static_orders o ON o.id = s.order_id ORDER BY line`
  const seen = new Set<number>()
  return found.flatMap(({ line, proxy, orderNo }) => {
    if (proxy === null) return { line, message: 'is no proxy of the stock' }
    if (orderNo !== null) return { line, message: `is in use by the order ${orderNo}` }
    if (seen.has(proxy)) return { line, message: 'comes twice' }
    seen.add(proxy)
    return []
  })
}
