import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { announce } from '../notices/announce.ts'

/**
 * Tells users that 80 % of the traffic that they bought of a product is used, and that all of it is; each once, until they buy more.
 *
 * @param trafficIds the traffic accounts on which use was counted in the open transaction
 */
export async function tellOfUse(deps: CoreDeps, tx: Tx, trafficIds: readonly number[]): Promise<void> {
  const accounts = await findAccounts(tx, { trafficIds })
  await announce(
    deps,
    tx,
    accounts.flatMap(({ id, userId, ...facts }) => {
      if (facts.used < 0.8 * facts.total) return []
      const kind = facts.used < facts.total ? 'traffic_80' : 'traffic_100'
      return { accountIds: [userId], kind, subject: `${id} ${facts.total}`, data: facts }
    }),
  )
}

const findAccounts = compiled<{ trafficIds: readonly number[] }>()((db, { trafficIds }) =>
  db
    .selectFrom('traffic as t')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(['t.id', 't.userId', 'p.productNo', 'p.nameEn', 'p.nameZh', 't.totalBytes as total'])
    .select(({ eb, selectFrom }) => {
      const usedBySubAccounts = selectFrom('subAccounts as s')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('s.usedBytes'), lit(0)).as('bytes'))
        .whereRef('s.trafficId', '=', 't.id')
      return eb('t.usedBytes', '+', usedBySubAccounts).as('used')
    })
    .where('t.id', 'in', listOf(trafficIds))
    .orderBy('t.id'),
)
