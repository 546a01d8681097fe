import { expect, test } from 'vitest'
import type { OpenNetwork } from '../../src/core/top-ups/payment-network.ts'
import { checkCandidates } from '../../src/core/top-ups/candidates.ts'
import { ChainScanner } from '../../src/core/top-ups/chain-scanner.ts'
import { expireTopUps } from '../../src/core/top-ups/expire-top-ups.ts'
import { onPostgres } from '../support/postgres.ts'
import { plansOf } from '../support/query-plans.ts'
import { openService } from '../support/service.ts'
import { USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'
import { TRON } from '../../src/networks/tron/index.ts'
import { WALLET } from '../support/top-ups.ts'

/** Nothing is due, so nothing of the chain is read. */
const OURS = { wallet: WALLET, contract: USDT_CONTRACT }
const NETWORK = { ...TRON } as OpenNetwork['network']

test.skipIf(onPostgres)(
  'what the loop asks again and again it finds in small indexes, however many top-ups there were',
  async () => {
    const service = await openService()
    const plans = await plansOf(service, async (deps) => {
      await new ChainScanner({ ...OURS, network: NETWORK }, () => deps).pause()
      await checkCandidates(deps, NETWORK, [OURS])
      await expireTopUps(deps)
    })
    const ofTables = plans.filter((plan) => /^(SCAN|SEARCH) (top_ups|listed_transactions)\b/.test(plan))
    expect(ofTables.map((plan) => /INDEX (\w+)/.exec(plan)?.[1])).toEqual([
      'listed_transactions_due',
      'top_ups_confirming',
      'top_ups_locks',
      'top_ups_locks',
      'listed_transactions_due',
      'listed_transactions_due',
      'top_ups_to_expire',
      'top_ups_to_release',
    ])
  },
)
