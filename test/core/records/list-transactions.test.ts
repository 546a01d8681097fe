import { describe, expect, it } from 'vitest'
import { ENTRY_TYPES } from '../../../src/core/ledger/book-entry.ts'
import { accountSummaryQuery } from '../../../src/core/records/account-summary.ts'
import { dashboardQuery } from '../../../src/core/records/dashboard.ts'
import {
  CONSUMPTION_TYPES,
  TransactionFilter,
  transactionsQuery,
} from '../../../src/core/records/list-transactions.ts'
import { openService, otherConnection } from '../../support/service.ts'

describe('the records of a big shop', () => {
  it('are found by indexes only, and never sorted', async () => {
    const service = await openService()
    const seller = await service.agent()
    const user = await service.customer(seller)
    const connection = otherConnection(service.path)
    const plan = (query: { sql: string; values: readonly unknown[] }) =>
      connection
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${query.sql}`)
        .all(...query.values.map((value) => (value instanceof Date ? value.toISOString() : value)))
        .map(({ detail }) => detail)
    const filters = [
      { types: [...CONSUMPTION_TYPES] },
      {
        types: [...ENTRY_TYPES],
        startDate: '2026-01-01',
        endDate: '2026-01-31',
        orderType: 'static' as const,
      },
      { types: [...ENTRY_TYPES], userId: user.id },
      { types: [...ENTRY_TYPES], keyword: 'x', username: 'y', orderNo: 'z' },
    ]
    for (const filter of filters) {
      for (const actor of [seller, user]) {
        const steps = plan(transactionsQuery(actor, TransactionFilter.parse(filter)))
        expect(steps.filter((step) => /ledger_\w+ /.test(step) && step.startsWith('SCAN'))).toEqual([])
        expect(
          steps.filter(
            (step) => step.startsWith('SCAN') && !/CONSTANT|found|SUBQUERY|json|^SCAN \(/.test(step),
          ),
        ).toEqual([])
        expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
      }
    }
    for (const overview of [dashboardQuery, accountSummaryQuery]) {
      const steps = plan(overview(seller.id, service.clock.now()))
      expect(steps.filter((step) => /^SCAN (?!\()/.test(step) && step !== 'SCAN CONSTANT ROW')).toEqual([])
    }
  })
})
