import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/database/database.ts'
import { audit } from '../../../src/core/books/audit.ts'
import { databaseBefore } from '../../support/old-database.ts'

/** Entries from before: account, kind, amount, source. */
const ENTRIES = [
  // An agent that has topped up 30 and got 70; a sub-user that has topped up 40, and spent 90 of what it has.
  [1, 'recharge', 30, 'usdt:a:0'],
  [1, 'adjust', 70, 'adjust:A1'],
  [2, 'recharge', 40, 'usdt:b:0'],
  [2, 'adjust', 60, 'transfer:X1'],
  [2, 'consumption', -90, 'order:D1'],
  // Of an agent whose sub-users have newly created money only.
  [4, 'adjust', 500, 'transfer:X2'],
] as const

test('what there was before money that came in was counted is at most what was topped up and not paid out', async () => {
  const time = "'2026-11-20T17:57:00.123Z'"
  const path = await databaseBefore(
    'money_that_came_in',
    [
      `INSERT INTO accounts (id, username, username_key, password_hash, role, level, funding, agent_id, created_at, updated_at) VALUES
         (1, 'a', 'a', '', 'agent', 1, 'transfer', NULL, ${time}, ${time}), (2, 'b', 'b', '', 'user', NULL, NULL, 1, ${time}, ${time}),
         (3, 'c', 'c', '', 'agent', 1, 'mint', NULL, ${time}, ${time}), (4, 'd', 'd', '', 'user', NULL, NULL, 3, ${time}, ${time})`,
      ...ENTRIES.map(
        ([account, type, amount, source]) =>
          `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, created_at)
           SELECT '${source}', id, coalesce(agent_id, id), '${type}', ${amount}, balance + ${amount}, '${source}', ${time}
           FROM accounts WHERE id = ${account}`,
      ),
      ...[1, 3].flatMap((agent) => [
        `INSERT INTO payouts (id, payout_no, agent_id, amount, rate, usdt_units, address, created_at)
         VALUES (${agent}, 'P${agent}', ${agent}, 20, 1, 20, 'T', ${time})`,
        `INSERT INTO earning_entries (agent_id, kind, source, available, pending_after, available_after, owed_after, created_at)
         VALUES (${agent}, 'to_balance', 'earned:${agent}', 80, 0, 80, 0, ${time})`,
        `INSERT INTO earning_entries (agent_id, kind, source, payout_id, available, pending_after, available_after, owed_after, created_at)
         VALUES (${agent}, 'payout', 'payout:P${agent}', ${agent}, -20, 0, 60, 0, ${time})`,
      ]),
    ].join(';'),
  )
  const db = await openDatabase(`file:${path}`)
  const accounts = await db.read.account.findMany({ orderBy: { id: 'asc' } })
  const differences = await audit({ db })
  await db.close()
  expect(accounts.map(({ balance, paidIn, earningPayable }) => [balance, paidIn, earningPayable])).toEqual([
    [100n, 30n, 50n],
    [10n, 10n, 0n],
    [0n, 0n, -20n],
    [500n, 0n, 0n],
  ])
  expect(differences.filter(({ rule }) => /came in|paid out/.test(rule))).toEqual([])
})
