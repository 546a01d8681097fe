import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { CHARGED, differing, isNotChargedOnce, MISSING, type Rule, total, sourceOf } from '../ledger/rule.ts'

const { selectFrom, eb, fn, exists, and, or, not } = expressionBuilder<
  DB & { o: DB['staticOrders']; i: DB['instances'] },
  'o' | 'i'
>()

/** The sum refunded for the proxies of an order `o`. */
const REFUNDED = selectFrom('instances as i')
  .select(({ ref }) => total(ref('i.refundedAmount')).as('refunded'))
  .whereRef('i.orderId', '=', 'o.id')
  .$asScalar()
  .$notNull()

/** The shares of the delivered proxies of an order `o` in its discount. */
const DISCOUNTED = selectFrom('instances as i')
  .select(({ ref }) => total(ref('i.discount')).as('discount'))
  .whereRef('i.orderId', '=', 'o.id')
  .$asScalar()
  .$notNull()

/** The sum of the renewals of a proxy `i`, without those that its supplier did not carry out. */
const RENEWED = selectFrom('renewedInstances as n')
  .select(({ ref }) => total(ref('n.amount')).as('renewed'))
  .whereRef('n.instanceId', '=', 'i.id')
  .where('n.failed', '=', false)
  .$asScalar()
  .$notNull()

/** The sum given back for proxies of an order `o` that were not renewed. */
const NOT_RENEWED = selectFrom('renewals as r')
  .select(({ ref }) => total(ref('r.refundedAmount')).as('refunded'))
  .whereRef('r.orderId', '=', 'o.id')
  .$asScalar()
  .$notNull()

/** A refund by the operator for the order of a proxy `i`. */
const GIVEN_BACK = selectFrom('refunds as g').select('g.id').whereRef('g.orderId', '=', 'i.orderId')

/** A replacement of a proxy `i` that ended with a refund instead of another proxy. */
const GIVEN_UP = selectFrom('replacements as x')
  .select('x.id')
  .whereRef('x.instanceId', '=', 'i.id')
  .where('x.status', '=', 'refunded')

/** A replacement of a proxy `i` by another one. */
const REPLACED = selectFrom('replacements as x')
  .select('x.id')
  .whereRef('x.instanceId', '=', 'i.id')
  .where('x.status', '=', 'done')

/** Rules of charges, refunds and deliveries of static orders (rules 4.8, 5.5, 5.7, 5.10). */
export const STATIC_ORDER_RULES: readonly Rule[] = [
  {
    name: 'every static order is charged once with its total',
    unit: 'money',
    broken: (books) =>
      books
        .selectFrom('staticOrders as o')
        .leftJoin('ledgerEntries as e', (on) =>
          on
            .onRef('e.orderNo', '=', 'o.orderNo')
            .onRef('e.accountId', '=', 'o.userId')
            .on('e.type', '=', 'consumption')
            .on('e.source', 'not like', 'renewal:%'),
        )
        .groupBy('o.id')
        .select(['o.orderNo as subject', CHARGED.as('found'), 'o.totalAmount as expected'])
        .having(({ ref }) => isNotChargedOnce(ref('o.totalAmount'))),
  },
  {
    name: 'every renewal is charged once with its amount',
    unit: 'money',
    broken: (books) =>
      books
        .selectFrom('renewals as r')
        .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
        .leftJoin('ledgerEntries as e', (on) =>
          on
            .on('e.source', '=', ({ ref }) => sourceOf('renewal', ref('r.renewOrderNo')))
            .onRef('e.orderNo', '=', 'o.orderNo')
            .onRef('e.accountId', '=', 'o.userId')
            .on('e.type', '=', 'consumption'),
        )
        .groupBy('r.id')
        .select(['r.renewOrderNo as subject', CHARGED.as('found'), 'r.amount as expected'])
        .having(({ ref }) => isNotChargedOnce(ref('r.amount'))),
  },
  {
    name: 'every renewal costs what its proxies cost',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('renewals as r').select(({ selectFrom }) => [
          'r.renewOrderNo as subject',
          'r.amount as found',
          selectFrom('renewedInstances as n')
            .select(({ ref }) => total(ref('n.amount')).as('amount'))
            .whereRef('n.renewalId', '=', 'r.id')
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'every renewal gave back what its proxies cost that were not renewed, and one in processing nothing',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('renewals as r').select(({ eb, lit, selectFrom }) => [
          'r.renewOrderNo as subject',
          'r.refundedAmount as found',
          eb
            .case()
            .when('r.status', '=', 'processing')
            .then(lit<number>(0))
            .else(
              selectFrom('renewedInstances as n')
                .select(({ ref }) => total(ref('n.amount')).as('amount'))
                .whereRef('n.renewalId', '=', 'r.id')
                .where('n.failed', '=', true)
                .$asScalar()
                .$notNull(),
            )
            .end()
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'every refund of a renewal was booked with its amount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('renewals as r')
          .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
          .leftJoin('ledgerEntries as e', (on) =>
            on
              .on('e.source', '=', ({ ref }) => sourceOf('renewal-refund', ref('r.renewOrderNo')))
              .onRef('e.orderNo', '=', 'o.orderNo')
              .onRef('e.accountId', '=', 'o.userId')
              .on('e.type', '=', 'refund'),
          )
          .groupBy('r.id')
          .select(({ ref }) => [
            'r.renewOrderNo as subject',
            total(ref('e.amount').$notNull()).as('found'),
            'r.refundedAmount as expected',
          ]),
      ),
  },
  {
    name: 'every renewal in processing has a call to the supplier, or a job that will complete it',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('renewals as r')
        .select(['r.renewOrderNo as subject', ...MISSING])
        .where('r.status', '=', 'processing')
        .where(({ not, or, exists, selectFrom }) =>
          not(
            or([
              exists(
                selectFrom('supplierCalls as call')
                  .select('call.id')
                  .whereRef('call.subject', '=', 'r.renewOrderNo')
                  .where('call.kind', '=', 'renew')
                  .where('call.nextAt', 'is not', null),
              ),
              exists(
                selectFrom('jobs as j')
                  .select('j.id')
                  .where('j.kind', '=', 'complete_renewal')
                  .whereRef('j.key', '=', 'r.renewOrderNo'),
              ),
            ]),
          ),
        ),
  },
  {
    name: 'every charge for a renewal has its renewal',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('ledgerEntries as e')
        .select(['e.transactionNo as subject', ...MISSING])
        .where('e.source', 'like', 'renewal:%')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('renewals as r')
                .select('r.id')
                .where(({ eb, ref }) => eb(sourceOf('renewal', ref('r.renewOrderNo')), '=', ref('e.source'))),
            ),
          ),
        ),
  },
  {
    name: 'every static order counts its renewals',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('staticOrders as o').select(({ selectFrom }) => [
          'o.orderNo as subject',
          'o.renewedAmount as found',
          selectFrom('renewals as r')
            .select(({ ref }) => total(ref('r.amount')).as('amount'))
            .whereRef('r.orderId', '=', 'o.id')
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'every cancellation is refunded once with its amount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('cancellations as c')
          .innerJoin('staticOrders as o', 'o.id', 'c.orderId')
          .leftJoin('ledgerEntries as e', (on) =>
            on
              .on('e.source', '=', ({ ref }) => sourceOf('cancel', ref('c.cancelNo')))
              .onRef('e.orderNo', '=', 'o.orderNo')
              .onRef('e.accountId', '=', 'o.userId')
              .on('e.type', '=', 'refund'),
          )
          .groupBy('c.id')
          .select(({ ref }) => [
            'c.cancelNo as subject',
            total(ref('e.amount').$notNull()).as('found'),
            'c.refundAmount as expected',
          ]),
      ),
  },
  {
    name: 'the cancellations, replacements and refunds by the operator of every order gave back what its proxies got',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('staticOrders as o').select(({ eb, selectFrom }) => [
          'o.orderNo as subject',
          eb(
            eb(
              selectFrom('cancellations as c')
                .select(({ ref }) => total(ref('c.refundAmount')).as('refunded'))
                .whereRef('c.orderId', '=', 'o.id')
                .$asScalar()
                .$notNull(),
              '+',
              selectFrom('replacements as x')
                .select(({ ref }) => total(ref('x.refundAmount')).as('refunded'))
                .whereRef('x.orderId', '=', 'o.id')
                .$asScalar()
                .$notNull(),
            ),
            '+',
            selectFrom('refunds as g')
              .select(({ ref }) => total(ref('g.amount')).as('refunded'))
              .whereRef('g.orderId', '=', 'o.id')
              .$asScalar()
              .$notNull(),
          ).as('found'),
          REFUNDED.as('expected'),
        ]),
      ),
  },
  {
    name: 'every replacement is refunded once with its amount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('replacements as x')
          .innerJoin('staticOrders as o', 'o.id', 'x.orderId')
          .leftJoin('ledgerEntries as e', (on) =>
            on
              .on('e.source', '=', ({ ref }) => sourceOf('replacement', ref('x.replacementNo')))
              .onRef('e.orderNo', '=', 'o.orderNo')
              .onRef('e.accountId', '=', 'o.userId')
              .on('e.type', '=', 'refund'),
          )
          .groupBy('x.id')
          .select(({ ref }) => [
            'x.replacementNo as subject',
            total(ref('e.amount').$notNull()).as('found'),
            'x.refundAmount as expected',
          ]),
      ),
  },
  {
    name: 'every refund of a static order by the operator is booked once with its amount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('refunds as g')
          .innerJoin('staticOrders as o', 'o.id', 'g.orderId')
          .leftJoin('ledgerEntries as e', (on) =>
            on
              .on('e.source', '=', ({ ref }) => sourceOf('judged', ref('g.refundNo')))
              .onRef('e.orderNo', '=', 'o.orderNo')
              .onRef('e.accountId', '=', 'o.userId')
              .on('e.type', '=', 'refund'),
          )
          .groupBy('g.id')
          .select(({ ref }) => [
            'g.refundNo as subject',
            total(ref('e.amount').$notNull()).as('found'),
            'g.amount as expected',
          ]),
      ),
  },
  {
    name: 'only a replacement that found no equal proxy is refunded',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('replacements as x')
          .select(({ lit }) => [
            'x.replacementNo as subject',
            'x.refundAmount as found',
            lit<number>(0).as('expected'),
          ])
          .where('x.status', '<>', 'refunded'),
      ),
  },
  {
    name: 'every replacement that is done led to an address',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('replacements as x')
          .select(({ eb }) => [
            'x.replacementNo as subject',
            eb('x.newIp', 'is not', null).as('found'),
            eb('x.status', '=', 'done').as('expected'),
          ]),
      ),
  },
  {
    name: 'only released proxies, and those that the operator chose, are refunded, and not more than was paid for them',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('instances as i')
          .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
          .select(({ eb, ref, lit }) => [
            'i.instanceNo as subject',
            eb('i.refundedAmount', '+', ref('i.agentReturned')).as('found'),
            eb
              .case()
              .when(and([eb('i.cancellationId', 'is', null), not(exists(GIVEN_UP)), not(exists(GIVEN_BACK))]))
              .then(lit<number>(0))
              .else(
                eb(
                  eb(
                    eb(eb('o.unitPrice', '*', ref('o.periods')), '-', ref('i.discount')),
                    '+',
                    ref('i.agentPaid'),
                  ),
                  '+',
                  RENEWED,
                ),
              )
              .end()
              .as('expected'),
          ]),
        '>',
      ),
  },
  {
    name: 'a proxy is released by a cancellation or for want of an equal one, and by nothing else',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('instances as i')
          .select(({ eb }) => [
            'i.instanceNo as subject',
            eb('i.status', '=', 'released').as('found'),
            or([eb('i.cancellationId', 'is not', null), exists(GIVEN_UP)]).as('expected'),
          ]),
      ),
  },
  {
    name: 'every proxy ends when its last renewal says',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('instances as i')
        .innerJoin('renewedInstances as n', (on) =>
          on.on('n.id', '=', ({ selectFrom }) =>
            selectFrom('renewedInstances as last')
              .innerJoin('renewals as r', 'r.id', 'last.renewalId')
              .select(({ fn }) => fn.max('last.id').as('id'))
              .whereRef('last.instanceId', '=', 'i.id')
              .where('last.failed', '=', false)
              .where('r.status', '<>', 'processing'),
          ),
        )
        .select(['i.instanceNo as subject', ...MISSING])
        .whereRef('n.newExpireTime', '<>', 'i.expireTime')
        // A proxy that was bought in the place of a dead one may end sooner.
        .where((i) => i.or([i('i.expireTime', '>', i.ref('n.newExpireTime')), i.not(i.exists(REPLACED))])),
  },
  {
    name: 'every order with an active proxy is active, and no other',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('staticOrders as o')
          .select([
            'o.orderNo as subject',
            eb('o.status', 'in', ['active', 'partial']).as('found'),
            exists(
              selectFrom('instances as i')
                .select('i.id')
                .whereRef('i.orderId', '=', 'o.id')
                .where('i.status', '=', 'active'),
            ).as('expected'),
          ]),
      ),
  },
  {
    name: 'every proxy of the own stock that is in use, or may be renewed, is held by its order',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('instances as i')
        .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
        .innerJoin('products as p', 'p.id', 'o.productId')
        .select(['i.instanceNo as subject', ...MISSING])
        .where('p.supplier', '=', 'inventory')
        .where('i.releasedAt', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('stockIps as s')
                .select('s.id')
                .whereRef('s.orderId', '=', 'o.id')
                .where(({ eb, ref, cast }) =>
                  eb(cast<string>('s.id', 'text'), '=', ref('i.providerInstanceNo')),
                ),
            ),
          ),
        ),
  },
  {
    name: 'every proxy of the stock is held by an order that uses it, or is free',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('stockIps as s')
        .innerJoin('staticOrders as o', 'o.id', 's.orderId')
        .select(({ eb, ref, val, lit }) => [
          eb(eb(ref('s.ip'), '||', val(' ')), '||', ref('s.seat')).as('subject'),
          lit(1).as('found'),
          lit(0).as('expected'),
        ])
        .where('o.status', '<>', 'processing')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('instances as i')
                .select('i.id')
                .whereRef('i.orderId', '=', 'o.id')
                .where('i.releasedAt', 'is', null)
                .where('i.providerInstanceNo', '=', ({ cast }) => cast<string>('s.id', 'text')),
            ),
          ),
        ),
  },
  {
    name: 'every static order is refunded what it says',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('staticOrders as o').select(({ selectFrom }) => [
          'o.orderNo as subject',
          'o.refundedAmount as found',
          selectFrom('ledgerEntries as e')
            .select(({ ref }) => total(ref('e.amount')).as('amount'))
            .whereRef('e.orderNo', '=', 'o.orderNo')
            .where('e.type', '=', 'refund')
            .whereRef('e.accountId', '=', 'o.userId')
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'every entry of an order belongs to an order of that account',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('ledgerEntries as e')
        .select(['e.transactionNo as subject', ...MISSING])
        .where('e.orderType', '=', 'static')
        .where('e.type', '<>', 'promotion')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('staticOrders as o')
                .select('o.id')
                .whereRef('o.orderNo', '=', 'e.orderNo')
                .whereRef('o.userId', '=', 'e.accountId'),
            ),
          ),
        ),
  },
  {
    name: 'every completed order has the proxies that it says',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('staticOrders as o')
          .select([
            'o.orderNo as subject',
            'o.successCount as found',
            selectFrom('instances as i')
              .select(fn.countAll<number>().as('delivered'))
              .whereRef('i.orderId', '=', 'o.id')
              .as('expected'),
          ]),
      ),
  },
  {
    name: 'every order got back the price of what was not delivered and of what was released, and nothing else',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('staticOrders as o').select(({ eb, ref, lit }) => {
          const missing = eb('o.ipCount', '-', ref('o.successCount'))
          const price = eb('o.periods', '*', ref('o.unitPrice'))
          const discount = eb('o.discount', '-', DISCOUNTED)
          return [
            'o.orderNo as subject',
            'o.refundedAmount as found',
            eb
              .case()
              .when('o.status', '=', 'processing')
              .then(lit<number>(0))
              .else(eb(eb(eb(eb(missing, '*', price), '-', discount), '+', REFUNDED), '+', NOT_RENEWED))
              .end()
              .as('expected'),
          ]
        }),
      ),
  },
  {
    name: 'every replacement in processing has a call to the supplier, or a job that will complete it',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('replacements as x')
        .select(['x.replacementNo as subject', ...MISSING])
        .where('x.status', '=', 'processing')
        .where(({ not, or, exists, selectFrom }) =>
          not(
            or([
              exists(
                selectFrom('supplierCalls as call')
                  .select('call.id')
                  .whereRef('call.subject', '=', 'x.replacementNo')
                  .where('call.kind', '=', 'open')
                  .where('call.nextAt', 'is not', null),
              ),
              exists(
                selectFrom('jobs as j')
                  .select('j.id')
                  .where('j.kind', '=', 'complete_replacement')
                  .whereRef('j.key', '=', 'x.replacementNo'),
              ),
            ]),
          ),
        ),
  },
  {
    name: 'every processing order has a job that will complete it, or a call to a supplier that has not ended',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('staticOrders as o')
        .select(['o.orderNo as subject', ...MISSING])
        .where('o.status', '=', 'processing')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('jobs as j')
                .select('j.id')
                .where('j.kind', '=', 'complete_static_order')
                .whereRef('j.key', '=', 'o.orderNo'),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('supplierCalls as c')
                .select('c.id')
                .whereRef('c.subject', '=', 'o.orderNo')
                .where('c.kind', '=', 'open')
                .where('c.nextAt', 'is not', null),
            ),
          ),
        ),
  },
]
