import { expect, test } from 'vitest'
import type { ChainReader } from '../../src/core/top-ups/chain-reader.ts'
import { checkCandidates } from '../../src/core/top-ups/candidates.ts'
import { ChainScanner } from '../../src/core/top-ups/chain-scanner.ts'
import { expireTopUps } from '../../src/core/top-ups/expire-top-ups.ts'
import { onPostgres } from '../support/postgres.ts'
import { plansOf } from '../support/query-plans.ts'
import { openService } from '../support/service.ts'
import { TERMS } from '../support/top-ups.ts'

/** Nothing is due, so nothing of the chain is read. */
const CHAIN = {} as ChainReader

test.skipIf(onPostgres)(
  'what the loop asks again and again it finds in small indexes, however many top-ups there were',
  async () => {
    const service = await openService()
    const plans = await plansOf(service, async (deps) => {
      await new ChainScanner(TERMS, CHAIN, () => deps).pause()
      await checkCandidates(deps, CHAIN, [TERMS])
      await expireTopUps(deps)
    })
    const ofTables = plans.filter((plan) => /^(SCAN|SEARCH) (top_ups|chain_candidates)\b/.test(plan))
    expect(ofTables.map((plan) => /INDEX (\w+)/.exec(plan)?.[1])).toEqual([
      'chain_candidates_due',
      'top_ups_confirming',
      'top_ups_to_release',
      'top_ups_to_release',
      'chain_candidates_due',
      'chain_candidates_due',
      'top_ups_to_expire',
      'top_ups_to_release',
    ])
  },
)
