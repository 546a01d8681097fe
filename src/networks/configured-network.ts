import type { Clock } from '../core/clock.ts'
import type {
  ChainUnavailable,
  NetworkTraits,
  PaymentNetwork,
  WatchedWallet,
} from '../core/top-ups/payment-network.ts'

/** Metrics and log of requests to the providers of a network. */
export interface NetworkObserver {
  /** @param fault when there was no valid answer */
  asked(provider: string, method: string, fault?: ChainUnavailable): void
  /** This provider is used from now on. */
  switched(provider: string): void
}

/** What a network works with. */
export interface NetworkTools {
  readonly clock: Clock
  /** Which process asks: a command leaves most of the rate of a key to the service, which runs beside it. */
  readonly asker?: 'service' | 'command'
  readonly observer?: NetworkObserver
  /** Aborts running and later requests. */
  readonly closing?: AbortSignal
  /** The providers in the sandbox, instead of those that are configured; the function is called at the first request. */
  readonly emulator?: { readonly apiUrl: () => string; readonly apiKey: string } | undefined
}

/** A network whose wallet is configured. */
export interface ConfiguredNetwork extends WatchedWallet {
  readonly traits: NetworkTraits
  /** What must never be shown. */
  readonly secrets: readonly string[]
  open(tools: NetworkTools): PaymentNetwork
}
