import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { announce } from '../notices/announce.ts'
import { recordEvents } from '../webhooks/record-events.ts'

/**
 * Tells users that 80 % of the traffic that they bought of a product is used, and that all of it is; each once, until they buy more.
 *
 * @param trafficIds the traffic accounts on which use was counted in the open transaction
 */
export async function tellOfUse(deps: CoreDeps, tx: Tx, trafficIds: readonly number[]): Promise<void> {
  const accounts = await findAccounts(tx, { trafficIds })
  const low = accounts.filter(({ used, total }) => used >= 0.8 * total)
  await announce(
    deps,
    tx,
    low.map(({ id, userId, ...facts }) => ({
      accountIds: [userId],
      kind: facts.used < facts.total ? 'traffic_80' : 'traffic_100',
      subject: `${id} ${facts.total}`,
      data: facts,
    })),
  )
  await recordEvents(
    tx,
    deps.clock.now(),
    low.map(({ id, userId, productNo, used, total }) => {
      const type = used < total ? 'traffic.low' : 'traffic.exhausted'
      const facts = () => ({ productNo, used, total })
      return { type, accountId: userId, subject: `traffic ${id}`, key: `${type} ${id} ${total}`, facts }
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
