import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/database/database.ts'
import { databaseBefore } from '../../support/old-database.ts'

const RENEWAL = 'R20261120175700123Q2W3E4R5'

/** Remarks of entries from before their kind was a column, with what they were booked for. */
const ENTRIES = [
  ['initial:1', 'Initial balance', 'initial_balance'],
  ['transfer:X1:user', 'Initial balance', 'initial_balance'],
  ['transfer:X2:agent', 'Adjusted by the agent', 'adjusted_by_agent'],
  ['transfer:X3', 'Account deleted', 'account_deleted'],
  [`renewal:${RENEWAL}`, `Renewal ${RENEWAL}`, 'renewal'],
  // What people wrote.
  ['transfer:X4', 'Paid in cash', null],
  ['adjust:A1', 'Initial balance', null],
  ['order:S1', 'Account deleted', null],
  ['order:S2', `Renewal ${RENEWAL}`, null],
  ['order:S3', '', null],
] as const

test('remarks of the service from before their kind was a column have one, and entries are never changed again', async () => {
  const path = await databaseBefore(
    'remark_kinds',
    `INSERT INTO accounts (username, username_key, password_hash, role, created_at, updated_at) VALUES ('a', 'a', '', 'user', '', '');
     INSERT INTO notices (chat_id, account_id, kind, subject, data, created_at) VALUES
       (1, 1, 'balance_adjusted', 'T1', '{"amount":1,"remark":"Adjusted by the agent","by":"agent"}', ''),
       (1, 1, 'balance_adjusted', 'T2', '{"amount":1,"remark":"Paid in cash","by":"agent"}', '');` +
      ENTRIES.map(
        ([source, remark]) =>
          `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, remark, created_at)
           SELECT '${source}', id, id, 'adjust', 1, balance + 1, '${source}', '${remark}', '2026-11-20T17:57:00.123Z' FROM accounts;`,
      ).join(''),
  )
  const db = await openDatabase(`file:${path}`)
  const entries = await db.read.ledgerEntry.findMany({ orderBy: { id: 'asc' } })
  const notices = await db.read.notice.findMany({ orderBy: { id: 'asc' } })
  const change = db.write((tx) => tx.ledgerEntry.updateMany({ data: { remark: 'changed' } }))
  await expect(change).rejects.toThrow('ledger entries are never changed')
  await db.close()
  expect(entries.map(({ source, remark, remarkKind }) => [source, remark, remarkKind])).toEqual(ENTRIES)
  expect(notices.map(({ data }) => (JSON.parse(data) as { remark: unknown }).remark)).toEqual([
    null,
    'Paid in cash',
  ])
})
