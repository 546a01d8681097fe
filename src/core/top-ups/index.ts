import { binding } from '../binding.ts'
import { cancelTopUp } from './cancel-top-up.ts'
import { checkTopUp, lookAtTopUp } from './check-top-up.ts'
import { claimTransfer } from './claim-transfer.ts'
import { acceptsTopUps, createTopUp } from './create-top-up.ts'
import type { TopUpDeps } from './deps.ts'
import { findPayment } from './find-payment.ts'
import { getTopUp, listTopUps } from './top-up.ts'

/** How accounts pay in. */
export function topUpsPart(deps: TopUpDeps) {
  const bind = binding(deps)
  return {
    /** The terms on which USDT is taken; undefined when it is not. */
    terms: deps.topUps?.terms,
    /** Whether a top-up can be opened now: not while the chain says that wallet or token are wrong. */
    enabled: bind(acceptsTopUps),
    /** Reads the chain for all top-ups together; undefined when USDT is not taken. */
    scanner: deps.topUps?.scanner,
    create: bind(createTopUp),
    check: bind(checkTopUp),
    look: bind(lookAtTopUp),
    get: bind(getTopUp),
    list: bind(listTopUps),
    cancel: bind(cancelTopUp),
    findPayment: bind(findPayment),
    claim: bind(claimTransfer),
  }
}
