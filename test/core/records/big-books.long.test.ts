import { expect, test } from 'vitest'
import { ENTRY_TYPES } from '../../../src/core/ledger/book-entry.ts'
import { CONSUMPTION_TYPES } from '../../../src/core/records/list-transactions.ts'
import { onPostgres } from '../../support/postgres.ts'
import { openService, otherConnection } from '../../support/service.ts'
import { fastestOf } from '../../support/times.ts'
import { withTurns } from '../../support/turns.ts'
import { EXPORT_LIMIT } from '../../../src/core/csv.ts'

/** 300,000 entries of an agent with 200 sub-users, in the proportions of a shop. */
async function bigBooks() {
  const service = await openService()
  const seller = await service.agent({ name: 'seller' })
  const users = await Promise.all(Array.from({ length: 200 }, () => service.customer(seller)))
  const connection = otherConnection(service.path)
  connection.exec(`
    DROP TRIGGER ledger_entries_move_balance;
    INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, order_type, order_no, created_at)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299999)
    SELECT 'T' || i, a.id, ${seller.id}, t.type, t.sign * 1000000, 0, 's' || i, t.order_type, iif(t.order_type IS NULL, NULL, 'S' || i),
           strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i * 5, 'unixepoch')
    FROM n JOIN (SELECT 0 AS k, 'consumption' AS type, -1 AS sign, 'static' AS order_type
                 UNION ALL SELECT 1, 'transfer_in', 1, NULL UNION ALL SELECT 2, 'refund', 1, 'static') t ON t.k = i % 10 / 4
    JOIN accounts a ON a.id = ${users[0]?.id} + i % 200`)
  return { ...service, connection, seller, user: users[0] ?? seller }
}

test.skipIf(onPostgres)(
  'The records of a big shop have a first page in no time, with totals over 300,000 entries',
  async () => {
    const { core, seller, user, clock, connection } = await bigBooks()
    const readAll = connection.prepare('SELECT sum(amount) FROM ledger_entries').pluck()
    /** What it answers, after it was seen to take a fraction of the time that reading all entries once takes. */
    const inNoTime = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const [page = 0, all = 0] = await fastestOf(5, work, () => readAll.get())
      expect(page, name).toBeLessThan(all / 4)
      return work()
    }
    clock.set('2026-02-10T00:00:00.000Z')
    const types = [...CONSUMPTION_TYPES]
    const everything = { types: [...ENTRY_TYPES] }
    const period = { types, startDate: '2026-01-05', endDate: '2026-01-14' }
    for (const [name, work, total] of [
      ['of the agent', () => core.records.transactions(seller, { types }), 180_000],
      ['of all kinds', () => core.records.transactions(seller, everything), 300_000],
      ['of a period', () => core.records.transactions(seller, period), 103_680],
      ['of one sub-user', () => core.records.transactions(seller, { types, userId: user.id }), 1_500],
      ['of a user', () => core.records.transactions(user, { types }), 1_500],
    ] as const) {
      const page = await inNoTime(name, work)
      expect(page.total, name).toBe(total)
      expect(page.items, name).toHaveLength(20)
    }
    const figures = await inNoTime('dashboard', () => core.records.dashboard(seller))
    expect(figures.subUsers?.monthConsumption).toBe(0)
    expect(figures.subUsers?.lastMonthConsumption).toBeGreaterThan(0)

    const file = await withTurns(() => core.records.exportTransactions(seller, everything))
    expect(file.result.total).toBe(300_000)
    expect(file.result.items).toHaveLength(EXPORT_LIMIT)
    expect(file.turns).toBeGreaterThanOrEqual(EXPORT_LIMIT / 500 - 1)
  },
)
