import { binding } from '../binding.ts'
import { cancelTopUp } from './cancel-top-up.ts'
import { checkTopUp, lookAtTopUp } from './check-top-up.ts'
import { claimTransfer } from './claim-transfer.ts'
import { acceptsTopUps, createTopUp } from './create-top-up.ts'
import type { TopUpDeps } from './deps.ts'
import { findPayment } from './find-payment.ts'
import type { NetworkTraits } from './payment-network.ts'
import { networkOf } from './transfer-names.ts'
import { getTopUp, listTopUps } from './top-up.ts'

/** How accounts pay in. */
export function topUpsPart(deps: TopUpDeps) {
  const bind = binding(deps)
  return {
    /** The terms on which USDT is taken; undefined when it is not. */
    terms: deps.topUps?.terms,
    /** Whether a top-up can be opened now: not while the chain says that wallet or token are wrong. */
    enabled: bind(acceptsTopUps),
    /** The networks that are open, the usual one first. */
    open: (deps.topUps?.scanners ?? []).map(({ open }): NetworkTraits => open.network),
    /** All networks, open or not. */
    networks: deps.networks,
    /** Returns a network by its id. */
    network: (id: string) => networkOf(deps.networks, id),
    /** Read the networks for all top-ups together; none when USDT is not taken. */
    scanners: deps.topUps?.scanners ?? [],
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
