import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { differing, MISSING, type Rule } from '../ledger/rule.ts'

const { selectFrom, fn } = expressionBuilder<DB & { o: DB['staticOrders'] }, 'o'>()

/** The calls by which an order `o` was bought; replacements of its proxies are bought under numbers of their own. */
const OPENINGS = selectFrom('supplierCalls as c')
  .whereRef('c.subject', '=', 'o.orderNo')
  .where('c.kind', '=', 'open')

/** Rules of calls to suppliers and of what came of them (rules 11.10, 11.11, 11.14). */
export const SUPPLY_RULES: readonly Rule[] = [
  {
    name: 'every supplied order is bought by one call, and no other order by any',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('staticOrders as o')
          .select(({ eb }) => [
            'o.orderNo as subject',
            OPENINGS.select(fn.countAll<number>().as('calls')).$asScalar().as('found'),
            eb
              .case()
              .when('o.locationId', 'is', null)
              .then(eb.lit<number>(0))
              .else(eb.lit<number>(1))
              .end()
              .as('expected'),
          ]),
      ),
  },
  {
    name: 'every supplied order that is completed has the cost and the outcome of its call',
    unit: 'money',
    broken: (books) =>
      books
        .selectFrom('staticOrders as o')
        .innerJoin('supplierCalls as c', 'c.subject', 'o.orderNo')
        .select(['o.orderNo as subject', 'o.cost as found', 'c.cost as expected'])
        .where('c.kind', '=', 'open')
        .where('o.locationId', 'is not', null)
        .where('o.status', '<>', 'processing')
        .where(({ eb, or, and }) =>
          or([
            eb('c.state', 'not in', ['settled', 'refused']),
            and([eb('c.state', '=', 'refused'), eb('o.successCount', '>', 0)]),
            eb('o.cost', 'is', null),
            eb('o.cost', '<>', eb.ref('c.cost')),
            eb('c.result', 'is not', null),
          ]),
        ),
  },
  {
    name: 'every call that has not ended is due some time, and no other',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('supplierCalls as c')
          .select(({ eb }) => [
            'c.callNo as subject',
            eb('c.nextAt', 'is not', null).as('found'),
            eb('c.state', 'not in', ['settled', 'refused']).as('expected'),
          ]),
      ),
  },
  {
    name: 'everything that a call has brought has a job that hands it over',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('supplierCalls as c')
        .select(['c.callNo as subject', ...MISSING])
        .where('c.result', 'is not', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('jobs as j').select('j.id').whereRef('j.key', '=', 'c.subject'))),
        ),
  },
  {
    name: 'every proxy of a supplier was delivered once',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('instances as i')
        .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
        .innerJoin('products as p', 'p.id', 'o.productId')
        .where('o.locationId', 'is not', null)
        .groupBy(['p.supplier', 'i.providerInstanceNo'])
        .select(({ fn, lit }) => [
          'i.providerInstanceNo as subject',
          fn.countAll<number>().as('found'),
          lit<number>(1).as('expected'),
        ])
        .having(({ eb, fn }) => eb(fn.countAll<number>(), '>', 1)),
  },
]
