import { type DeliveryProbes, deliveryProbes } from './delivery-probes.ts'
import type { ProxyProber } from './prober.ts'

/** How proxies are checked; made once by `createCore`. */
export interface Checks {
  readonly prober: ProxyProber
  /** Whether proxies are checked without being asked for. */
  readonly regular: boolean
  /** Checks under way at this server that people asked for. */
  readonly running: Set<object>
  /** Probes of proxies that are about to be delivered. */
  readonly deliveries: DeliveryProbes
}

/** @param options missing where proxies cannot be checked, because nobody outside could reach the echo */
export function checksOf(
  options: { readonly prober: ProxyProber; readonly regular: boolean } | undefined,
): Checks | undefined {
  return (
    options && {
      ...options,
      running: new Set(),
      deliveries: deliveryProbes(options.prober),
    }
  )
}
