import { describe, expect, it } from 'vitest'
import { ENTRY_TYPES } from '../../../src/core/ledger/book-entry.ts'
import { accountSummary } from '../../../src/core/records/account-summary.ts'
import { dashboard } from '../../../src/core/records/dashboard.ts'
import { CONSUMPTION_TYPES, listTransactions } from '../../../src/core/records/list-transactions.ts'
import { onPostgres } from '../../support/postgres.ts'
import { plansOf } from '../../support/query-plans.ts'
import { openService } from '../../support/service.ts'

describe.skipIf(onPostgres)('the records of a big shop', () => {
  it('are found by indexes only, and never sorted', async () => {
    const service = await openService()
    const seller = await service.agent()
    const user = await service.customer(seller)
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
        const steps = await plansOf(service, (deps) => listTransactions(deps, actor, filter))
        expect(steps.filter((step) => /ledger_\w+ /.test(step) && step.startsWith('SCAN'))).toEqual([])
        expect(
          steps.filter(
            (step) =>
              step.startsWith('SCAN') && !/CONSTANT|found|list|sums|SUBQUERY|json|^SCAN \(/.test(step),
          ),
        ).toEqual([])
        // The entries of a page are sorted, the others are not.
        const sorted = steps.filter((step) => step.includes('TEMP B-TREE'))
        expect(new Set(sorted)).toEqual(new Set(['USE TEMP B-TREE FOR json_group_array(ORDER BY)']))
      }
    }
    for (const overview of [dashboard, accountSummary]) {
      const steps = await plansOf(service, (deps) => overview(deps, seller))
      expect(
        steps.filter((step) => /^SCAN (?!\()/.test(step) && !/^SCAN (CONSTANT ROW|list)$/.test(step)),
      ).toEqual([])
    }
  })
})
