import { Prisma } from '../../generated/prisma/client.ts'
import { FREE } from '../catalog/stock.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { announceToOperators } from '../notices/announce.ts'
import type { OperatorNoticeFacts } from '../notices/kinds.ts'

/** Free proxies of a product below which the operator hears of it. */
const FEW = 10

/**
 * Of the loop: tells the operator that few proxies of a product are left, and again when there are none; once until more
 * are imported. A product that has never had any is left alone.
 */
export async function tellLowStock(deps: CoreDeps): Promise<void> {
  if (deps.operatorChats.length === 0) return
  // Counting ends where it does not matter any more.
  const low = await selectJson<OperatorNoticeFacts['stock_low'] & { lastImport: number | null }>(
    deps.db.read,
    Prisma.sql`
      SELECT json_object('productNo', product_no, 'nameEn', name_en, 'nameZh', name_zh, 'free', free, 'lastImport',
        (SELECT max(s.id) FROM locations l JOIN stock_ips s ON s.location_id = l.id WHERE l.product_id = product.id)) AS json
      FROM (SELECT p.*, (SELECT count(*) FROM (
                           SELECT 1 FROM locations l JOIN stock_ips s ON s.location_id = l.id
                           WHERE l.product_id = p.id AND ${FREE} LIMIT ${FEW})) AS free
            FROM products p WHERE p.enabled AND EXISTS (SELECT 1 FROM locations WHERE product_id = p.id)) product
      WHERE free < ${FEW}`,
  )
  for (const { lastImport, ...data } of low) {
    const subject = `${data.productNo} ${lastImport ?? 0} ${data.free === 0 ? 'none' : 'few'}`
    const [told] = await deps.db.read.$queryRaw<unknown[]>`
      SELECT 1 FROM notices WHERE kind = 'stock_low' AND subject = ${subject} LIMIT 1`
    if (lastImport === null || told) continue
    await deps.db.write((tx) => announceToOperators(deps, tx, { kind: 'stock_low', subject, data }))
    deps.jobs.wake()
  }
}
