import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { least } from '../database/dialect.ts'
import { type Books, differing, MISSING, type Rule, total } from '../ledger/rule.ts'

const { selectFrom, eb, ref } = expressionBuilder<DB & { e: DB['earnings'] }, 'e'>()

/** Makes the rule that a column of accounts is the sum of the entries of earnings. */
function sumOfEntries(
  name: string,
  account: 'earningPending' | 'earningAvailable' | 'earningOwed',
  entry: 'pending' | 'available' | 'owed',
): Rule {
  return {
    name,
    unit: 'money',
    broken: (books) =>
      differing(
        books.selectFrom('accounts as a').select((a) => [
          'a.username as subject',
          `a.${account} as found`,
          a
            .selectFrom('earningEntries as n')
            .select((n) => total(n.ref(`n.${entry}`)).as('sum'))
            .whereRef('n.agentId', '=', 'a.id')
            .as('expected'),
        ]),
      ),
  }
}

const entry = expressionBuilder<DB & { n: DB['earningEntries'] }, 'n'>()
/** The net change by an entry `n`: pending plus available less owed. */
const CHANGE = entry(entry('n.pending', '+', entry.ref('n.available')), '-', entry.ref('n.owed'))

/** Sums the net change of an earning `e` by entries of the given kinds. */
function booked(...kinds: ('earned' | 'matured' | 'reversed')[]) {
  return selectFrom('earningEntries as n')
    .select(total(CHANGE).as('sum'))
    .whereRef('n.earningId', '=', 'e.id')
    .where('n.kind', 'in', kinds)
    .$asScalar()
    .$notNull()
}

function eachEarning(books: Books) {
  return books.selectFrom('earnings as e')
}

/** Selects payouts `x` with the sum that entries of the kind took: from what was available, or as debt. */
function eachPayout(books: Books, kind: 'payout' | 'payout_returned') {
  return books.selectFrom('payouts as x').select((x) => [
    'x.payoutNo as subject',
    x
      .selectFrom('earningEntries as n')
      .select((n) => total(n('n.owed', '-', n.ref('n.available'))).as('sum'))
      .whereRef('n.payoutId', '=', 'x.id')
      .where('n.kind', '=', kind)
      .$asScalar()
      .$notNull()
      .as('found'),
  ])
}

/** Rules of what agents earn, and of payouts (rules 13.3, 13.4, 13.6). */
export const EARNING_RULES: readonly Rule[] = [
  sumOfEntries('what is pending of every agent is the sum of its entries', 'earningPending', 'pending'),
  sumOfEntries('what every agent has available is the sum of its entries', 'earningAvailable', 'available'),
  sumOfEntries('what every agent owes is the sum of its entries', 'earningOwed', 'owed'),
  {
    name: 'every earning was booked with its amount',
    unit: 'money',
    broken: (books) =>
      differing(
        eachEarning(books).select([
          'e.source as subject',
          booked('earned').as('found'),
          'e.amount as expected',
        ]),
      ),
  },
  {
    name: 'what was taken back of every earning was booked',
    unit: 'money',
    broken: (books) =>
      differing(
        eachEarning(books).select([
          'e.source as subject',
          eb(eb.lit<number>(0), '-', booked('reversed')).as('found'),
          'e.reversed as expected',
        ]),
      ),
  },
  {
    name: 'an earning is pending until it has matured',
    unit: 'money',
    broken: (books) =>
      differing(
        eachEarning(books).select((e) => [
          'e.source as subject',
          e
            .selectFrom('earningEntries as n')
            .select((n) => total(n.ref('n.pending')).as('sum'))
            .whereRef('n.earningId', '=', 'e.id')
            .$asScalar()
            .$notNull()
            .as('found'),
          e
            .case()
            .when('e.state', '=', 'pending')
            .then(eb('e.amount', '-', ref('e.reversed')))
            .else(0)
            .end()
            .as('expected'),
        ]),
      ),
  },
  {
    name: 'every earning is a part of what was paid, and no more was taken back than came back',
    unit: 'money',
    broken: (books) =>
      eachEarning(books)
        .leftJoin('ledgerEntries as l', 'l.source', 'e.source')
        .select((e) => [
          'e.source as subject',
          e.fn.coalesce(e(e.lit<number>(0), '-', e.ref('l.amount')), e.lit(0)).as('found'),
          'e.paid as expected',
        ])
        .where((e) =>
          e.or([
            e('l.id', 'is', null),
            e('l.amount', '<>', e(e.lit<number>(0), '-', e.ref('e.paid'))),
            e('e.reversed', '>', e.ref('e.refunded')),
          ]),
        ),
  },
  {
    name: 'every entry is of the agent of its earning or payout',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('earningEntries as n')
          .leftJoin('earnings as e', 'e.id', 'n.earningId')
          .leftJoin('payouts as x', 'x.id', 'n.payoutId')
          .select(({ fn }) => [
            'n.source as subject',
            'n.agentId as found',
            fn.coalesce('e.agentId', 'x.agentId', 'n.agentId').as('expected'),
          ]),
      ),
  },
  {
    name: 'every payout was booked with its amount',
    unit: 'money',
    broken: (books) => differing(eachPayout(books, 'payout').select('x.amount as expected')),
  },
  {
    name: 'what was not paid of payouts came back, and nothing else',
    unit: 'money',
    broken: (books) =>
      differing(
        eachPayout(books, 'payout_returned').select((x) =>
          x
            .case()
            .when('x.status', 'in', ['refused', 'cancelled'])
            .then(x(x.lit<number>(0), '-', x.ref('x.amount')))
            .else(0)
            .end()
            .as('expected'),
        ),
      ),
  },
  {
    name: 'every move of earnings to a balance has both entries',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('earningEntries as n')
          .leftJoin('ledgerEntries as l', (on) =>
            on.onRef('l.source', '=', 'n.source').onRef('l.accountId', '=', 'n.agentId'),
          )
          .select((n) => [
            'n.source as subject',
            n.fn.coalesce('l.amount', n.lit(0)).as('found'),
            n(n.lit<number>(0), '-', n.ref('n.available')).as('expected'),
          ])
          .where('n.kind', '=', 'to_balance'),
      ),
  },
  {
    name: 'what every agent may be paid out is the sum of its entries',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('accounts as a')
          .select((a) => {
            const entries = a.selectFrom('earningEntries as n').whereRef('n.agentId', '=', 'a.id')
            // Entries from before `payable` was kept count up to what was topped up and not paid out (rules 13.14).
            const before = entries.where('n.payable', 'is', null)
            const toppedUp = a
              .selectFrom('ledgerEntries as l')
              .select((l) => total(l.ref('l.amount')).as('sum'))
              .whereRef('l.scopeId', '=', 'a.id')
              .where('l.type', '=', 'recharge')
              .where('l.source', 'like', 'usdt:%')
              .where('l.paidIn', 'is', null)
            return [
              'a.username as subject',
              'a.earningPayable as found',
              a(
                least(
                  before.select(total(CHANGE).as('sum')).$asScalar().$notNull(),
                  a(
                    toppedUp.$asScalar().$notNull(),
                    '+',
                    before
                      .select(total(CHANGE).as('sum'))
                      .where('n.kind', 'in', ['payout', 'payout_returned'])
                      .$asScalar()
                      .$notNull(),
                  ),
                ),
                '+',
                entries
                  .select((n) => total(n.ref('n.payable').$notNull()).as('sum'))
                  .$asScalar()
                  .$notNull(),
              ).as('expected'),
            ]
          })
          .where('a.role', '=', 'agent'),
      ),
  },
  {
    name: 'what may be paid out of every earning was booked when it had matured',
    unit: 'money',
    broken: (books) =>
      differing(
        eachEarning(books).select((e) => [
          'e.source as subject',
          e
            .selectFrom('earningEntries as n')
            .select((n) => total(n.ref('n.payable').$notNull()).as('sum'))
            .whereRef('n.earningId', '=', 'e.id')
            .$asScalar()
            .$notNull()
            .as('found'),
          e.case().when('e.state', '=', 'pending').then(0).else(ref('e.payable')).end().as('expected'),
        ]),
      ),
  },
  {
    name: 'no more of an earning may be paid out than is left of it',
    unit: 'money',
    broken: (books) =>
      differing(
        eachEarning(books).select([
          'e.source as subject',
          'e.payable as found',
          eb('e.amount', '-', ref('e.reversed')).as('expected'),
        ]),
        '>',
      ),
  },
  {
    name: 'every payout was taken from what may be paid out',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('earningEntries as n')
          .select((n) => [
            'n.source as subject',
            n.ref('n.payable').$notNull().as('found'),
            n('n.available', '-', n.ref('n.owed')).as('expected'),
          ])
          .where('n.kind', 'in', ['payout', 'payout_returned'])
          .where('n.payable', 'is not', null),
      ),
  },
  {
    name: 'what may be paid out stays money that came in when it is moved to a balance',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('earningEntries as n')
          .innerJoin('ledgerEntries as l', 'l.source', 'n.source')
          .select((n) => [
            'n.source as subject',
            n.fn.coalesce('l.paidIn', n.lit(0)).as('found'),
            n(n.lit<number>(0), '-', n.fn.coalesce('n.payable', n.lit(0))).as('expected'),
          ])
          .where('n.kind', '=', 'to_balance'),
      ),
  },
  {
    name: 'every balance that got earnings gave them up as such',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('ledgerEntries as l')
        .select(['l.source as subject', ...MISSING])
        .where('l.source', 'like', 'earnings:%')
        .where(({ not, exists, selectFrom: from }) =>
          not(exists(from('earningEntries as n').select('n.id').whereRef('n.source', '=', 'l.source'))),
        ),
  },
]
