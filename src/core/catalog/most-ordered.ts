import { compiled } from '../database/compiled.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** How many of the latest orders of each kind are counted: however many there are, reading these takes the same time. */
const LATEST = 1000

/** Returns the numbers of the products that the latest orders are for, the one that was ordered most often first. */
export async function mostOrdered({ db }: Essentials): Promise<string[]> {
  const orders = [...(await countStatic(db.read, {})), ...(await countDynamic(db.read, {}))]
  return orders.toSorted((a, b) => b.count - a.count).map(({ productNo }) => productNo)
}

const countStatic = compiled<object>()((db) =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom('staticOrders')
        .select('productId')
        .where('status', '<>', 'failed')
        .orderBy('id', 'desc')
        .limit(LATEST)
        .as('o'),
    )
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(({ fn }) => ['p.productNo', fn.countAll<number>().as('count')])
    .groupBy('p.productNo'),
)

const countDynamic = compiled<object>()((db) =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom('dynamicOrders').select('productId').orderBy('id', 'desc').limit(LATEST).as('o'),
    )
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(({ fn }) => ['p.productNo', fn.countAll<number>().as('count')])
    .groupBy('p.productNo'),
)
