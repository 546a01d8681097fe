import type { NetworkTraits } from '../core/top-ups/payment-network.ts'
import type { ConfiguredNetwork } from './configured-network.ts'
import { TRON, tron, type TronSettings } from './tron/index.ts'

/** The networks over which USDT can be paid. The first one is the usual one, also for payouts. */
export const NETWORKS: readonly [NetworkTraits, ...NetworkTraits[]] = [TRON]

/** The settings of each network; undefined: it is closed. */
export interface NetworkSettings {
  readonly tron: TronSettings | undefined
}

/** Returns the networks that are open, in the order in which people are offered them. */
export function configuredNetworks(settings: NetworkSettings): ConfiguredNetwork[] {
  return [settings.tron && tron(settings.tron)].filter((network) => network !== undefined)
}

/** Returns all networks, open or not: those of the list, and others that are open. */
export function knownNetworks(open: readonly ConfiguredNetwork[] = []): NetworkTraits[] {
  return [...new Set([...NETWORKS, ...open.map(({ traits }) => traits)])]
}
