import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Books, differing, MISSING, type Rule, total } from './rule.ts'

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

/** Rules of promotion codes (rules 13.9 to 13.12). */
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
]
