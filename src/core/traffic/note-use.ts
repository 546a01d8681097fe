import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { happened } from '../facts/happened.ts'
import { NAMES } from '../catalog/product-texts.ts'

/**
 * Emits a fact for each account that has used 80 % of its bought traffic, or all. Users are told of each once, until they buy more.
 *
 * @param trafficIds the traffic accounts on which use was counted in the open transaction
 */
export async function noteUse(tx: Tx, trafficIds: readonly number[]): Promise<void> {
  const accounts = await findAccounts(tx, { trafficIds })
  const low = accounts.filter(({ used, total }) => used >= 0.8 * total)
  happened(tx, ...low.map((traffic) => ({ kind: 'traffic.used' as const, ...traffic })))
}

const findAccounts = compiled<{ trafficIds: readonly number[] }>()((db, { trafficIds }) =>
  db
    .selectFrom('traffic as t')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(['t.id', 't.userId', 'p.productNo', NAMES, 't.totalBytes as total'])
    .select(({ eb, selectFrom }) => {
      const usedBySubAccounts = selectFrom('subAccounts as s')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('s.usedBytes'), lit(0)).as('bytes'))
        .whereRef('s.trafficId', '=', 't.id')
      return eb('t.usedBytes', '+', usedBySubAccounts).as('used')
    })
    .where('t.id', 'in', listOf(trafficIds))
    .orderBy('t.id'),
)
