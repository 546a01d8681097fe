import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { notSo, shifted } from '../database/dialect.ts'
import { SKEW_MS } from './top-up-terms.ts'
import { differing, MISSING, type Rule, total } from '../ledger/rule.ts'

const { eb, ref, val, cast, lit, and, or } = expressionBuilder<
  DB & { t: DB['topUps']; x: DB['usdtTransfers']; e: DB['ledgerEntries'] },
  't' | 'x' | 'e'
>()

/** Name of a transfer on its network: transaction and position. */
const TRANSFER = eb(eb(ref('x.txid'), '||', val(':')), '||', cast<string>('x.logIndex', 'text'))
/** Condition: the entry is for the transfer. Entries from the time when there was one network do not name it. */
const IS_CREDIT = or([
  eb('e.source', '=', eb(eb(eb(val('usdt:'), '||', ref('x.network')), '||', val(':')), '||', TRANSFER)),
  eb('e.source', '=', eb(val('usdt:'), '||', TRANSFER)),
])
const UNITS = cast<number>('x.units', 'bigint')

/** The credit for a transfer at the rate of its top-up; calculated in two parts, so that no product exceeds an integer. */
const CREDIT = eb(
  eb(eb(UNITS, '/', lit(1_000_000)), '*', ref('t.rate')),
  '+',
  eb(eb(eb(UNITS, '%', lit(1_000_000)), '*', ref('t.rate')), '/', lit(1_000_000)),
)

/** Condition: the amount, network, wallet and the time are those of the top-up. */
const EXACT: Expression<SqlBool> = and([
  eb('x.units', '=', cast<string>('t.payUnits', 'text')),
  eb('x.network', '=', ref('t.network')),
  eb('x.wallet', '=', ref('t.wallet')),
  eb('x.contract', '=', ref('t.contract')),
  eb('x.blockTime', '<=', ref('t.matchUntil')),
  eb('x.blockTime', '>=', shifted(ref('t.createdAt'), -SKEW_MS)),
])

/** Rules of transfers, top-ups and their credits (rules 8.7, 8.8, 10.10). */
export const TOP_UP_RULES: readonly Rule[] = [
  {
    name: 'every matched transfer is credited once, at the rate of its top-up',
    unit: 'money',
    broken: (books) =>
      books
        .selectFrom('usdtTransfers as x')
        .innerJoin('topUps as t', 't.id', 'x.topUpId')
        .leftJoin('ledgerEntries as e', (on) =>
          on
            .onRef('e.orderNo', '=', 't.orderNo')
            .on(IS_CREDIT)
            .on('e.type', '=', 'recharge')
            .onRef('e.accountId', '=', 't.userId'),
        )
        .where('x.state', '=', 'matched')
        .groupBy(['x.id', 't.id'])
        .select(({ ref }) => [
          TRANSFER.as('subject'),
          total(ref('e.amount').$notNull()).as('found'),
          CREDIT.as('expected'),
        ])
        .having(({ eb, fn, ref, or }) =>
          or([eb(total(ref('e.amount').$notNull()), '<>', CREDIT), eb(fn.count<number>('e.id'), '<>', 1)]),
        ),
  },
  {
    name: 'every credit for USDT has its transfer',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('ledgerEntries as e')
        .select(['e.transactionNo as subject', ...MISSING])
        .where('e.source', 'like', 'usdt:%')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('topUps as t')
                .innerJoin('usdtTransfers as x', 'x.topUpId', 't.id')
                .select('x.id')
                .whereRef('t.orderNo', '=', 'e.orderNo')
                .where('x.state', '=', 'matched')
                .where(IS_CREDIT),
            ),
          ),
        ),
  },
  {
    name: 'every paid top-up has a transfer, and no other has',
    unit: 'count',
    broken: (books) =>
      differing(
        books
          .selectFrom('topUps as t')
          .select(({ eb, exists, selectFrom }) => [
            't.orderNo as subject',
            eb('t.status', '=', 'paid').as('found'),
            exists(selectFrom('usdtTransfers as x').select('x.id').whereRef('x.topUpId', '=', 't.id')).as(
              'expected',
            ),
          ]),
      ),
  },
  {
    name: 'every paid top-up says what it was credited',
    unit: 'money',
    broken: (books) =>
      differing(
        books
          .selectFrom('topUps as t')
          .select(({ selectFrom }) => [
            't.orderNo as subject',
            't.creditAmount as found',
            selectFrom('ledgerEntries as e')
              .select(({ ref }) => total(ref('e.amount')).as('credited'))
              .whereRef('e.orderNo', '=', 't.orderNo')
              .where('e.type', '=', 'recharge')
              .as('expected'),
          ])
          .where('t.status', '=', 'paid'),
      ),
  },
  {
    name: 'an automatic payment is of the exact amount, within the time of its top-up',
    unit: 'count',
    broken: (books) =>
      books
        .selectFrom('usdtTransfers as x')
        .innerJoin('topUps as t', 't.id', 'x.topUpId')
        .select([TRANSFER.as('subject'), ...MISSING])
        .where('x.resolvedAt', 'is', null)
        .where(notSo(EXACT)),
  },
]
