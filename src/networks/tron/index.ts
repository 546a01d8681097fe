import type { WatchedWallet } from '../../core/top-ups/payment-network.ts'
import type { ConfiguredNetwork } from '../configured-network.ts'
import { TRON } from './traits.ts'
import { createTronChain } from './tron-chain.ts'

export { TRON }

/** Where payments on TRON arrive, and the providers from which it is read. */
export interface TronSettings extends WatchedWallet {
  /** Without a slash at the end. */
  readonly apiUrl: string
  readonly fallbackUrl?: string | undefined
  readonly apiKey?: string | undefined
}

/** TRON, as it is configured. */
export function tron({
  wallet,
  contract,
  ...providers
}: TronSettings): ConfiguredNetwork & { readonly providers: object } {
  return {
    traits: TRON,
    wallet,
    contract,
    providers,
    secrets: providers.apiKey === undefined ? [] : [providers.apiKey],
    open: ({ emulator = providers, ...tools }) => createTronChain({ ...emulator, ...tools }),
  }
}
