import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'

/**
 * While another proxy is being bought in its place, a proxy is neither renewed nor released (rules 5.22).
 *
 * @throws order_processing
 */
export async function refuseWhileReplaced(tx: Tx, orderNo: string, ids: readonly number[]): Promise<void> {
  const [open] = await findProcessing(tx, { ids })
  if (open) throw new ServiceError('order_processing', { data: { order_no: orderNo } })
}

const findProcessing = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('replacements')
    .select('id')
    .where('instanceId', 'in', listOf(ids))
    .where('status', '=', 'processing')
    .limit(1),
)
