import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Books, differing, MISSING, type Rule, total } from '../ledger/rule.ts'

const { eb, fn, selectFrom } = expressionBuilder<DB & { o: DB['staticOrders'] }, 'o'>()

/** The uses that count, of codes `c`. */
function countedUses(books: Books) {
  return books
    .selectFrom('promoCodes as c')
    .innerJoin('promoUses as u', (on) => on.onRef('u.codeId', '=', 'c.id').on('u.returnedAt', 'is', null))
}

/** The discount of the use of its code by an order `o`. */
const DISCOUNT_OF_USE = selectFrom('promoUses as u')
  .innerJoin('promoCodes as c', 'c.id', 'u.codeId')
  .select(({ ref }) => total(ref('u.discount')).as('discount'))
  .whereRef('u.orderNo', '=', 'o.orderNo')
  .whereRef('u.userId', '=', 'o.userId')
  .whereRef('c.code', '=', 'o.promoCode')
  .$asScalar()
  .$notNull()

const DISCOUNTS = ['o.orderNo as subject', 'o.discount as found', DISCOUNT_OF_USE.as('expected')] as const

const use = expressionBuilder<DB & { u: DB['promoUses'] }, 'u'>()

/** What entries have paid for a use `u` of its code from the balance of the agent, or given back to it. */
function bookedFor(sign: '<' | '>') {
  return use
    .selectFrom('promoCodes as c')
    .innerJoin('ledgerEntries as e', 'e.accountId', 'c.agentId')
    .select(({ ref }) => total(ref('e.amount')).as('booked'))
    .whereRef('c.id', '=', 'u.codeId')
    .whereRef('e.orderNo', '=', 'u.orderNo')
    .where('e.type', '=', 'promotion')
    .where('e.amount', sign, 0)
    .$asScalar()
    .$notNull()
}

/** The sum over the proxies of the order of a use `u`. */
function ofProxies(column: 'agentPaid' | 'agentReturned') {
  return use
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .select(({ ref }) => total(ref(`i.${column}`)).as('sum'))
    .whereRef('o.orderNo', '=', 'u.orderNo')
    .$asScalar()
    .$notNull()
}

/** Rules of promotion codes (rules 13.9 to 13.12, 13.16). */
export const PROMOTION_RULES: readonly Rule[] = [
  {
    name: 'every promotion code counts its uses',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('promoCodes as c')
          .select(({ selectFrom }) => [
            'c.code as subject',
            'c.uses as found',
            selectFrom('promoUses as u')
              .select(fn.countAll<number>().as('number'))
              .whereRef('u.codeId', '=', 'c.id')
              .where('u.returnedAt', 'is', null)
              .$asScalar()
              .$notNull()
              .as('expected'),
          ]),
      ),
  },
  {
    name: 'no promotion code was used more often than it may be',
    unit: 'count',
    broken: (books) =>
      differing(
        countedUses(books)
          .where('c.maxUses', 'is not', null)
          .groupBy('c.id')
          .select(({ ref }) => [
            'c.code as subject',
            fn.countAll<number>().as('found'),
            ref('c.maxUses').as('expected'),
          ]),
        '>',
      ),
  },
  {
    name: 'no user used a promotion code more often than one may',
    unit: 'count',
    broken: (books) =>
      differing(
        countedUses(books)
          .where('c.maxUsesPerUser', 'is not', null)
          .groupBy(['c.id', 'u.userId'])
          .select(({ ref }) => [
            'c.code as subject',
            fn.countAll<number>().as('found'),
            ref('c.maxUsesPerUser').as('expected'),
          ]),
        '>',
      ),
  },
  {
    name: 'the discount of every static order is that of its promotion code',
    unit: 'money',
    broken: (books) => differing(books.selectFrom('staticOrders as o').select(DISCOUNTS)),
  },
  {
    name: 'the discount of every dynamic order is that of its promotion code',
    unit: 'money',
    broken: (books) => differing(books.selectFrom('dynamicOrders as o').select(DISCOUNTS)),
  },
  {
    name: 'every use of a promotion code has its order',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('promoUses as u')
        .select(['u.orderNo as subject', ...MISSING])
        .where(({ not, or, exists, selectFrom }) =>
          not(
            or([
              exists(selectFrom('staticOrders as o').select('o.id').whereRef('o.orderNo', '=', 'u.orderNo')),
              exists(selectFrom('dynamicOrders as o').select('o.id').whereRef('o.orderNo', '=', 'u.orderNo')),
            ]),
          ),
        ),
  },
  {
    name: 'every static order costs its proxies times its price, less its discount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('staticOrders as o')
          .select(({ ref }) => [
            'o.orderNo as subject',
            'o.totalAmount as found',
            eb(
              eb(eb(ref('o.unitPrice'), '*', ref('o.ipCount')), '*', ref('o.periods')),
              '-',
              ref('o.discount'),
            ).as('expected'),
          ]),
      ),
  },
  {
    name: 'what the balance of an agent paid of every purchase with its code was booked',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('promoUses as u')
          .select(({ neg }) => [
            'u.orderNo as subject',
            neg(bookedFor('<')).as('found'),
            'u.agentPaid as expected',
          ]),
      ),
  },
  {
    name: 'what came back of every purchase to the balance of an agent was booked',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('promoUses as u')
          .select(['u.orderNo as subject', bookedFor('>').as('found'), 'u.agentReturned as expected']),
      ),
  },
  {
    name: 'every entry of a promotion is one of a purchase with a code of that agent',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('ledgerEntries as e')
        .select(['e.transactionNo as subject', ...MISSING])
        .where('e.type', '=', 'promotion')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('promoUses as u')
                .innerJoin('promoCodes as c', 'c.id', 'u.codeId')
                .select('u.id')
                .whereRef('u.orderNo', '=', 'e.orderNo')
                .whereRef('c.agentId', '=', 'e.accountId'),
            ),
          ),
        ),
  },
  {
    name: 'every promotion code counts what it has cost the balance of its agent',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('promoCodes as c').select(({ selectFrom }) => [
          'c.code as subject',
          'c.balanceUsed as found',
          selectFrom('promoUses as u')
            .select(({ eb, ref }) => total(eb('u.agentPaid', '-', ref('u.agentReturned'))).as('paid'))
            .whereRef('u.codeId', '=', 'c.id')
            .$asScalar()
            .$notNull()
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'no promotion code has cost the balance of its agent more than it may',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('promoCodes as c')
          .select(({ fn, lit }) => [
            'c.code as subject',
            'c.balanceUsed as found',
            fn.coalesce('c.balanceLimit', lit(0)).as('expected'),
          ]),
        '>',
      ),
  },
  {
    name: 'the balance of an agent pays only for purchases by which the agent earns nothing',
    unit: 'money',
    broken: (books) =>
      books
        .selectFrom('promoUses as u')
        .innerJoin('earnings as e', (on) =>
          on.on('e.source', '=', ({ eb, val, ref }) => eb(val('order:'), '||', ref('u.orderNo'))),
        )
        .where('u.agentPaid', '>', 0)
        .select(({ lit }) => ['u.orderNo as subject', 'e.amount as found', lit<number>(0).as('expected')]),
  },
  {
    name: 'the balance of an agent got back what it paid for proxies that were not delivered, and of the others what these say',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('promoUses as u')
          .innerJoin('staticOrders as o', 'o.orderNo', 'u.orderNo')
          .select((u) => [
            'u.orderNo as subject',
            u('u.agentReturned', '-', ofProxies('agentReturned')).as('found'),
            u
              .case()
              .when('o.status', '=', 'processing')
              .then(u.lit<number>(0))
              .else(u('u.agentPaid', '-', ofProxies('agentPaid')))
              .end()
              .as('expected'),
          ]),
      ),
  },
]
