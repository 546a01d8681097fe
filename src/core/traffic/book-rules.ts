import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { least, textPart } from '../database/dialect.ts'
import { CHARGED, differing, isNotChargedOnce, MISSING, type Rule, total, sourceOf } from '../ledger/rule.ts'

const { and, eb, ref, selectFrom, lit } = expressionBuilder<
  DB & { o: DB['dynamicOrders']; t: DB['traffic'] },
  'o' | 't'
>()

/** Sums the limits or the used bytes of the sub-accounts of a traffic account. */
function ofSubAccounts(column: 'limitBytes' | 'usedBytes') {
  return selectFrom('subAccounts as s')
    .select(({ ref }) => total(ref(`s.${column}`)).as('bytes'))
    .whereRef('s.trafficId', '=', 't.id')
    .$asScalar()
    .$notNull()
}

/** The orders of a traffic account. */
const ORDERS = selectFrom('dynamicOrders as o')
  .whereRef('o.userId', '=', 't.userId')
  .whereRef('o.productId', '=', 't.productId')

/** Condition on an order: it was delivered. */
const DELIVERED = eb('o.status', 'in', ['active', 'exhausted'])

/** Sum of the bytes counted by usage reports. */
const REPORTED = selectFrom('usageReports as r').select(({ ref }) => total(ref('r.countedBytes')).as('bytes'))

/** Price of an order, in micros, rounded up; orders are whole MB. */
const PRICE = eb(
  eb(eb(eb('o.trafficBytes', '/', lit(1_000_000)), '*', ref('o.unitPrice')), '+', lit(999)),
  '/',
  lit(1000),
)

/** Returns the condition that a report is of a connected gateway: the sum of one credential and day. */
function isOfGateway(reportId: Expression<string>) {
  return and([eb(reportId, '>=', 'gateway:'), eb(reportId, '<', 'gateway;')])
}

/** Rules of traffic and its orders (rules 6.2, 6.10, 6.11, 12.3, 12.8, 12.9). */
export const TRAFFIC_RULES: readonly Rule[] = [
  {
    name: 'every dynamic order is charged once with its total',
    unit: 'money',
    broken: (books) =>
      books
        .selectFrom('dynamicOrders as o')
        .leftJoin('ledgerEntries as e', (on) =>
          on
            .onRef('e.orderNo', '=', 'o.orderNo')
            .onRef('e.accountId', '=', 'o.userId')
            .on('e.type', '=', 'consumption'),
        )
        .groupBy('o.id')
        .select(['o.orderNo as subject', CHARGED.as('found'), 'o.totalAmount as expected'])
        .having(({ ref }) => isNotChargedOnce(ref('o.totalAmount'))),
  },
  {
    name: 'every entry of a dynamic order belongs to an order of that account',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('ledgerEntries as e')
        .select(['e.transactionNo as subject', ...MISSING])
        .where('e.orderType', '=', 'dynamic')
        .where('e.type', '<>', 'promotion')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('dynamicOrders as o')
                .select('o.id')
                .whereRef('o.orderNo', '=', 'e.orderNo')
                .whereRef('o.userId', '=', 'e.accountId'),
            ),
          ),
        ),
  },
  {
    name: 'every refund of an order of traffic is booked once with its amount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('refunds as g')
          .innerJoin('dynamicOrders as o', 'o.id', 'g.dynamicOrderId')
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
    name: 'no order of traffic got back more than it cost, or anything without a refund by the operator',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('ledgerEntries as e')
          .innerJoin('dynamicOrders as o', 'o.orderNo', 'e.orderNo')
          .where('e.type', '=', 'refund')
          .groupBy('o.id')
          .select(({ ref, selectFrom }) => [
            'o.orderNo as subject',
            total(ref('e.amount')).as('found'),
            least(
              ref('o.totalAmount'),
              selectFrom('refunds as g')
                .select((g) => total(g.ref('g.amount')).as('refunded'))
                .whereRef('g.dynamicOrderId', '=', 'o.id')
                .$asScalar()
                .$notNull(),
            ).as('expected'),
          ]),
        '>',
      ),
  },
  {
    name: 'every dynamic order costs its traffic times its price, less its discount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('dynamicOrders as o')
          .select([
            'o.orderNo as subject',
            'o.totalAmount as found',
            eb(PRICE, '-', ref('o.discount')).as('expected'),
          ]),
      ),
  },
  {
    name: 'every traffic account holds what was bought',
    unit: 'count',
    broken: (books) =>
      differing(
        books.selectFrom('traffic as t').select([
          't.username as subject',
          't.totalBytes as found',
          ORDERS.where(DELIVERED)
            .select(({ ref }) => total(ref('o.trafficBytes')).as('bytes'))
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'every order of traffic has its traffic account',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('dynamicOrders as o')
        .select(['o.orderNo as subject', ...MISSING])
        .where(DELIVERED)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('traffic as t')
                .select('t.id')
                .whereRef('t.userId', '=', 'o.userId')
                .whereRef('t.productId', '=', 'o.productId'),
            ),
          ),
        ),
  },
  {
    name: 'no traffic account is overdrawn',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('traffic as t')
        .select(({ eb, ref }) => [
          't.username as subject',
          eb('t.usedBytes', '+', ref('t.allocatedBytes')).as('found'),
          't.totalBytes as expected',
        ])
        .where(({ eb, ref, or }) =>
          or([
            eb(eb('t.usedBytes', '+', ref('t.allocatedBytes')), '>', ref('t.totalBytes')),
            eb('t.usedBytes', '<', 0),
            eb('t.allocatedBytes', '<', 0),
          ]),
        ),
  },
  {
    name: 'no sub-account is overdrawn',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('subAccounts as s')
        .select(['s.username as subject', 's.usedBytes as found', 's.limitBytes as expected'])
        .where(({ eb, ref, or }) =>
          or([eb('s.usedBytes', '>', ref('s.limitBytes')), eb('s.usedBytes', '<', 0)]),
        ),
  },
  {
    name: 'what is allocated is what the sub-accounts have',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('traffic as t')
          .select([
            't.username as subject',
            't.allocatedBytes as found',
            ofSubAccounts('limitBytes').as('expected'),
          ]),
      ),
  },
  {
    name: 'every sub-account has what was moved to it',
    unit: 'count',
    broken: (books) =>
      differing(
        books.selectFrom('subAccounts as s').select(({ selectFrom }) => [
          's.username as subject',
          's.limitBytes as found',
          selectFrom('trafficMoves as m')
            .select(({ ref }) => total(ref('m.bytes')).as('bytes'))
            .whereRef('m.subAccountId', '=', 's.id')
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'a deleted sub-account has returned the rest',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('subAccounts as s')
          .select(['s.username as subject', 's.limitBytes as found', 's.usedBytes as expected'])
          .where('s.status', '=', 'deleted'),
      ),
  },
  {
    name: 'every use was reported',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('traffic as t')
          .select([
            't.username as subject',
            't.usedBytes as found',
            REPORTED.whereRef('r.trafficId', '=', 't.id').where('r.subAccountId', 'is', null).as('expected'),
          ])
          .unionAll(
            books.selectFrom('subAccounts as s').select(({ selectFrom }) => [
              's.username as subject',
              's.usedBytes as found',
              selectFrom('usageReports as r')
                .select(({ ref }) => total(ref('r.countedBytes')).as('bytes'))
                .whereRef('r.subAccountId', '=', 's.id')
                .as('expected'),
            ]),
          ),
      ),
  },
  {
    name: 'every report stands in its day',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('usageReports as r')
        .select(['r.reportId as subject', ...MISSING])
        .where(({ eb, ref, or, and }) =>
          or([
            eb('r.day', '=', ''),
            // The id of such a report is `gateway:<day>:<username>`.
            and([isOfGateway(ref('r.reportId')), eb(textPart(ref('r.reportId'), 9, 10), '<>', ref('r.day'))]),
          ]),
        ),
  },
  {
    name: 'what gateways have reported is recorded',
    unit: 'count',
    broken: (books) =>
      differing(
        books.selectNoFrom(({ selectFrom, val }) => [
          val('all gateways').as('subject'),
          selectFrom('usageReports as r')
            .select(({ ref }) => total(ref('r.bytes')).as('bytes'))
            .where(({ ref }) => isOfGateway(ref('r.reportId')))
            .$asScalar()
            .$notNull()
            .as('found'),
          selectFrom('gateways as g')
            .select(({ ref }) => total(ref('g.bytes')).as('bytes'))
            .$asScalar()
            .$notNull()
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'the hosts of a day have used no more than gateways reported for that day',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('usageTargets as h')
          .innerJoin('traffic as t', 't.id', 'h.trafficId')
          .groupBy(['t.id', 't.username', 'h.day'])
          .select(({ ref, selectFrom }) => [
            't.username as subject',
            total(ref('h.bytes')).as('found'),
            selectFrom('usageReports as r')
              .select((report) => total(report.ref('r.bytes')).as('bytes'))
              .whereRef('r.trafficId', '=', 't.id')
              .whereRef('r.day', '=', 'h.day')
              .where((report) => isOfGateway(report.ref('r.reportId')))
              .$asScalar()
              .$notNull()
              .as('expected'),
          ]),
        '>',
      ),
  },
  {
    name: 'every allowed address belongs to one account',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('allowedAddresses as a')
        .select(({ lit }) => ['a.cidr as subject', lit(2).as('found'), lit(1).as('expected')])
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('allowedAddresses as other')
              .select('other.id')
              .whereRef('other.id', '<>', 'a.id')
              .whereRef('other.low', '<=', 'a.high')
              .whereRef('other.high', '>=', 'a.low'),
          ),
        ),
  },
  {
    name: 'every use is taken from an order',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('traffic as t')
          .select([
            't.username as subject',
            ORDERS.select(({ ref }) => total(ref('o.usedBytes')).as('bytes')).as('found'),
            eb('t.usedBytes', '+', ofSubAccounts('usedBytes')).as('expected'),
          ]),
      ),
  },
  {
    name: 'an order of traffic is exhausted when it is used up',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('dynamicOrders as o')
          .select(({ eb, ref }) => [
            'o.orderNo as subject',
            eb('o.status', '=', 'exhausted').as('found'),
            eb('o.usedBytes', '=', ref('o.trafficBytes')).as('expected'),
          ])
          .where(DELIVERED),
      ),
  },
  {
    name: 'orders of traffic are used up oldest first',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('dynamicOrders as o')
        .select(({ lit }) => ['o.orderNo as subject', 'o.usedBytes as found', lit(0).as('expected')])
        .where('o.usedBytes', '>', 0)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('dynamicOrders as older')
              .select('older.id')
              .whereRef('older.userId', '=', 'o.userId')
              .whereRef('older.productId', '=', 'o.productId')
              .whereRef('older.id', '<', 'o.id')
              .where('older.status', '=', 'active'),
          ),
        ),
  },
  {
    name: 'every name at the gateway is one credential',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('traffic as t')
        .innerJoin('subAccounts as s', 's.username', 't.username')
        .select(({ lit }) => ['t.username as subject', lit(2).as('found'), lit(1).as('expected')]),
  },
]
