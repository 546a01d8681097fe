import { Windows } from '../windows.ts'
import { type DeliveryProbes, deliveryProbes } from './delivery-probes.ts'
import type { ProxyProber } from './prober.ts'

/** A proxy is checked once a minute at most, whoever asks. */
const ASKED_MS = 60_000
const REMEMBERED = 20_000
/** How proxies are checked; made once by `createCore`. */
export interface Checks {
  readonly prober: ProxyProber
  /** Whether proxies are checked without being asked for. */
  readonly regular: boolean
  /** Counts what people asked for, by proxy. */
  readonly asked: Windows
  readonly running: Set<number>
  /** Of proxies that are about to be delivered. */
  readonly deliveries: DeliveryProbes
}

/** @param options missing where proxies cannot be checked, because nobody outside could reach the echo */
export function checksOf(
  options: { readonly prober: ProxyProber; readonly regular: boolean } | undefined,
): Checks | undefined {
  return (
    options && {
      ...options,
      asked: new Windows(ASKED_MS, REMEMBERED),
      running: new Set(),
      deliveries: deliveryProbes(options.prober),
    }
  )
}
