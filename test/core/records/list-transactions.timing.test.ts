import { expect, test } from 'vitest'
import { ENTRY_TYPES } from '../../../src/core/ledger/book-entry.ts'
import { CONSUMPTION_TYPES, EXPORT_LIMIT } from '../../../src/core/records/list-transactions.ts'
import { openService, otherConnection } from '../../support/service.ts'
import { withTurns } from '../../support/turns.ts'

/** A million entries of an agent with 200 sub-users, in the proportions of a shop. */
async function bigBooks() {
  const service = await openService()
  const seller = await service.agent({ name: 'seller' })
  const users = await Promise.all(Array.from({ length: 200 }, () => service.customer(seller)))
  const connection = otherConnection(service.path)
  connection.exec(`
    DROP TRIGGER ledger_entries_move_balance;
    INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, order_type, order_no, created_at)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
    SELECT 'T' || i, a.id, ${seller.id}, t.type, t.sign * 1000000, 0, 's' || i, t.order_type, iif(t.order_type IS NULL, NULL, 'S' || i),
           strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i * 5, 'unixepoch')
    FROM n JOIN (SELECT 0 AS k, 'consumption' AS type, -1 AS sign, 'static' AS order_type
                 UNION ALL SELECT 1, 'transfer_in', 1, NULL UNION ALL SELECT 2, 'refund', 1, 'static') t ON t.k = i % 10 / 4
    JOIN accounts a ON a.id = ${users[0]?.id} + i % 200`)
  return { ...service, connection, seller, user: users[0] ?? seller }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

test('The records of a big shop have a first page in no time, with totals over a million entries', async () => {
  const { core, seller, user, clock } = await bigBooks()
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    let result = await work()
    const times: number[] = []
    for (let run = 0; run < 15; run += 1) {
      const begun = performance.now()
      result = await work()
      times.push(performance.now() - begun)
    }
    return [result, median(times)]
  }
  clock.set('2026-03-01T00:00:00.000Z')
  const types = [...CONSUMPTION_TYPES]
  const everything = { types: [...ENTRY_TYPES] }
  const march = { types, startDate: '2026-01-10', endDate: '2026-01-20' }
  for (const [name, work, total] of [
    ['of the agent', () => core.records.transactions(seller, { types }), 600_000],
    ['of all kinds', () => core.records.transactions(seller, everything), 1_000_000],
    ['of a period', () => core.records.transactions(seller, march), 114_048],
    ['of one sub-user', () => core.records.transactions(seller, { types, userId: user.id }), 5_000],
    ['of a user', () => core.records.transactions(user, { types }), 5_000],
  ] as const) {
    const [page, ms] = await timed(work)
    expect(page.total, name).toBe(total)
    expect(page.items, name).toHaveLength(20)
    expect(ms, name).toBeLessThan(25)
  }
  const [figures, ms] = await timed(() => core.records.dashboard(seller))
  expect(figures.subUsers?.monthConsumption).toBe(0)
  expect(figures.subUsers?.lastMonthConsumption).toBeGreaterThan(0)
  expect(ms).toBeLessThan(25)

  const file = await withTurns(() => core.records.exportTransactions(seller, everything))
  expect(file.result.total).toBe(1_000_000)
  expect(file.result.items).toHaveLength(EXPORT_LIMIT)
  expect(file.turns).toBeGreaterThanOrEqual(EXPORT_LIMIT / 500 - 1)
})
