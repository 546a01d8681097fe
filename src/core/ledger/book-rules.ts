import type { Expression } from 'kysely'
import { greatest, least, textPart } from '../database/dialect.ts'
import { type Books, differing, type Rule, total } from './rule.ts'

/**
 * Selects each day of `ledger_days` beside the sums of its entries; 0 where one side has none. Computed with a union and sums, because
 * SQLite's full join would compare every day with every other.
 */
function days(books: Books) {
  const entries = (subUsers: boolean) =>
    books
      .selectFrom('ledgerEntries')
      .select(({ ref, fn, cast, lit, neg, val }) => [
        ref(subUsers ? 'scopeId' : 'accountId').as('viewerId'),
        lit(subUsers).as('subUsers'),
        textPart(ref('createdAt'), 1, 10).as('day'),
        'type',
        fn.coalesce(cast<string>('orderType', 'text'), val('')).as('orderType'),
        lit<number>(1).as('entries'),
        greatest(ref('amount'), lit(0)).as('income'),
        greatest(neg(ref('amount')), lit(0)).as('expense'),
        lit<boolean>(false).as('kept'),
      ])
  const all = entries(false)
    .unionAll(entries(true).whereRef('scopeId', '<>', 'accountId'))
    .unionAll(
      books
        .selectFrom('ledgerDays')
        .select(['viewerId', 'subUsers', 'day', 'type', 'orderType', 'entries', 'income', 'expense'])
        .select(({ lit }) => lit<boolean>(true).as('kept')),
    )
  const day = ['viewerId', 'subUsers', 'day', 'type', 'orderType'] as const
  return books
    .selectFrom(all.as('each'))
    .select(({ eb, fn, ref, val, lit }) => {
      const whose = eb.case().when('subUsers', '=', true).then('sub-users of').else('account').end()
      const sum = (column: 'entries' | 'income' | 'expense', kept: boolean) =>
        fn.coalesce(fn.sum<number>(column).filterWhere('kept', '=', kept), lit(0))
      return [
        fn<string>('concat_ws', [val(' '), whose, ref('viewerId'), 'day', 'type', 'orderType']).as('subject'),
        sum('entries', false).as('entries'),
        sum('income', false).as('income'),
        sum('expense', false).as('expense'),
        sum('entries', true).as('keptEntries'),
        sum('income', true).as('keptIncome'),
        sum('expense', true).as('keptExpense'),
      ]
    })
    .groupBy(day)
    .as('sums')
}

/** The part of `source` that both entries of a transfer share: `transfer:` and its number. */
function transferOf(source: Expression<string>) {
  return textPart(source, 1, 35)
}

/** Rules of balances, their entries and the sums per day (rules 2.13). */
export const BOOK_RULES: readonly Rule[] = [
  {
    name: 'every balance is the sum of its entries',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('accounts as a')
          .leftJoin('ledgerEntries as e', 'e.accountId', 'a.id')
          .select(({ ref }) => [
            'a.username as subject',
            'a.balance as found',
            total(ref('e.amount').$notNull()).as('expected'),
          ])
          .groupBy('a.id'),
      ),
  },
  {
    name: 'every entry continues the balance before it',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('ledgerEntries').select(({ eb, ref, fn, lit }) => {
          const before = fn
            .agg<number>('lag', ['balanceAfter'])
            .over((entries) => entries.partitionBy('accountId').orderBy('id'))
          return [
            'transactionNo as subject',
            'balanceAfter as found',
            eb(fn.coalesce(before, lit(0)), '+', ref('amount')).as('expected'),
          ]
        }),
      ),
  },
  {
    name: 'every entry stands in the records of its account and its agent',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('ledgerEntries as e')
          .innerJoin('accounts as a', 'a.id', 'e.accountId')
          .select(({ fn, selectFrom }) => {
            // For a user who was moved since (rules 16.3), the agent of that time.
            const before = selectFrom('agentMoves as m')
              .select((move) => move.fn.coalesce('m.fromAgentId', 'm.accountId').as('scopeId'))
              .whereRef('m.accountId', '=', 'e.accountId')
              .whereRef('m.lastEntryId', '>=', 'e.id')
              .orderBy('m.id')
              .limit(1)
            return [
              'e.transactionNo as subject',
              'e.scopeId as found',
              fn.coalesce(before, 'a.agentId', 'a.id').as('expected'),
            ]
          }),
      ),
  },
  {
    name: 'the income and expense of every day are those of its entries',
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom(days(books)).select(({ eb }) => {
          const wrongIncome = eb('keptIncome', '<>', eb.ref('income'))
          const either = (income: 'income' | 'keptIncome', expense: 'expense' | 'keptExpense') =>
            eb.case().when(wrongIncome).then(eb.ref(income)).else(eb.ref(expense)).end()
          return [
            'subject',
            either('keptIncome', 'keptExpense').as('found'),
            either('income', 'expense').as('expected'),
          ]
        }),
      ),
  },
  {
    name: 'every day counts its entries',
    unit: 'count',
    broken: (books) =>
      differing(
        books.selectFrom(days(books)).select(['subject', 'keptEntries as found', 'entries as expected']),
      ),
  },
  {
    name: 'every registration link has cost what its newcomers got',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('joinLinks as l')
          .leftJoin('joined as j', 'j.linkId', 'l.id')
          .select(({ cast, ref }) => [
            cast<string>('l.id', 'text').as('subject'),
            'l.spent as found',
            total(ref('j.trial').$notNull()).as('expected'),
          ])
          .groupBy('l.id'),
      ),
  },
  {
    name: 'every request for money that was granted has moved its amount',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('moneyRequests as r')
          .leftJoin('ledgerEntries as e', (on) =>
            on.onRef('e.transactionNo', '=', 'r.transactionNo').onRef('e.accountId', '=', 'r.accountId'),
          )
          .select(({ cast, ref }) => [
            cast<string>('r.id', 'text').as('subject'),
            total(ref('e.amount').$notNull()).as('found'),
            'r.amount as expected',
          ])
          .where('r.status', '=', 'given')
          .groupBy('r.id'),
      ),
  },
  {
    name: 'transfers between agents and sub-users cancel out',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('ledgerEntries')
          .select(({ ref, lit }) => [
            transferOf(ref('source')).as('subject'),
            total(ref('amount')).as('found'),
            lit<number>(0).as('expected'),
          ])
          .where('type', 'in', ['transfer_in', 'transfer_out'])
          .groupBy(({ ref }) => transferOf(ref('source'))),
      ),
  },
  {
    name: 'what came in of every balance is the sum of its entries',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('accounts as a')
          .leftJoin('ledgerEntries as e', 'e.accountId', 'a.id')
          .select(({ eb, fn, ref, lit }) => {
            const before = (amount: Expression<number>, source = '%') =>
              fn.coalesce(
                fn
                  .sum<number>(amount)
                  .filterWhere('e.paidIn', 'is', null)
                  .filterWhere('e.source', 'like', source),
                lit(0),
              )
            const amount = ref('e.amount').$notNull()
            return [
              'a.username as subject',
              'a.paidIn as found',
              // Of the entries from before `paidIn` was recorded, at most what was topped up (rules 13.14).
              eb(least(before(amount), before(amount, 'usdt:%')), '+', total(ref('e.paidIn').$notNull())).as(
                'expected',
              ),
            ]
          })
          .groupBy('a.id'),
      ),
  },
  {
    name: 'money comes in by top-ups and what the operator has marked as paid',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('ledgerEntries')
          .select((e) => [
            'transactionNo as subject',
            e.ref('paidIn').$notNull().as('found'),
            e.case().when('source', 'like', 'usdt:%').then(e.ref('amount')).else(0).end().as('expected'),
          ])
          .where('paidIn', 'is not', null)
          .where('amount', '>', 0)
          .where('type', 'not in', ['refund', 'transfer_in', 'promotion'])
          .where(({ not, or, and, eb }) =>
            not(
              or([
                eb('source', 'like', 'earnings:%'),
                and([eb('source', 'like', 'adjust:%'), eb('paidIn', '=', eb.ref('amount'))]),
              ]),
            ),
          ),
      ),
  },
  {
    name: 'transfers between agents and sub-users carry what came in along',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('ledgerEntries')
          .select(({ ref, lit }) => [
            transferOf(ref('source')).as('subject'),
            total(ref('paidIn').$notNull()).as('found'),
            lit<number>(0).as('expected'),
          ])
          .where('type', 'in', ['transfer_in', 'transfer_out'])
          .groupBy(({ ref }) => transferOf(ref('source'))),
      ),
  },
  {
    name: 'what came in for an order covers what may be paid out of its earnings',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('ledgerEntries as l')
          .where('l.type', 'in', ['consumption', 'refund'])
          .where('l.orderNo', 'is not', null)
          .groupBy('l.orderNo')
          .select(({ ref, neg, selectFrom }) => [
            ref('l.orderNo').$notNull().as('subject'),
            selectFrom('earnings as e')
              .select((e) => total(e.ref('e.payable')).as('payable'))
              .whereRef('e.orderNo', '=', 'l.orderNo')
              .$asScalar()
              .$notNull()
              .as('found'),
            neg(total(ref('l.paidIn').$notNull())).as('expected'),
          ]),
        '>',
      ),
  },
  {
    name: 'every deleted sub-user has given its balance back',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('accounts as u')
          .innerJoin('accounts as g', 'g.id', 'u.agentId')
          .select(({ lit }) => ['u.username as subject', 'u.balance as found', lit<number>(0).as('expected')])
          .where('u.status', '=', 'deleted')
          .where('g.funding', '=', 'transfer'),
      ),
  },
]
