import { limited } from '../limited.ts'
import type { ProbedProxy, ProxyProber } from './prober.ts'

/** Maximum number of proxies that are probed at the same time before they are delivered. */
const AT_ONCE = 20

/** A proxy that is about to be delivered. */
export interface DeliveredProxy extends ProbedProxy {
  /** The supplier's name for it; unique within what is delivered together. */
  readonly providerInstanceNo: string
}

/** The probes of one delivery, while they are under way. */
interface Probes {
  readonly underWay: Set<string>
  /** Whether a proxy has passed, by the supplier's name; removed once it is noted. */
  readonly results: Map<string, boolean>
  /** Resolves when no probe is under way. */
  idle: Promise<unknown>
}

export type DeliveryProbes = ReturnType<typeof deliveryProbes>

/**
 * Makes the probes of proxies before their delivery, for all deliveries together. Only probes under way are kept in memory: after a
 * restart they are begun again. Each delivery waits for at most 20 probes of each other one.
 */
export function deliveryProbes(prober: ProxyProber) {
  const inTurn = limited(AT_ONCE)
  const all = new Map<string, Probes>()

  async function probeEach(probes: Probes, left: Iterable<DeliveredProxy>, isWanted: () => boolean) {
    for (const proxy of left) {
      const { providerInstanceNo } = proxy
      try {
        const probe = await inTurn(async () => (isWanted() ? prober.probe(proxy) : undefined))
        if (probe && !probe.local) probes.results.set(providerInstanceNo, probe.stage === 'done')
      } catch {
        // The service is closing.
      } finally {
        probes.underWay.delete(providerInstanceNo)
      }
    }
  }

  return {
    /** Begins to probe those proxies of a delivery that are not being probed already. */
    begin(subject: string, proxies: readonly DeliveredProxy[]): Probes {
      const probes = all.get(subject) ?? { underWay: new Set(), results: new Map(), idle: Promise.resolve() }
      all.set(subject, probes)
      const fresh = proxies.filter(
        ({ providerInstanceNo: no }) => !probes.underWay.has(no) && !probes.results.has(no),
      )
      for (const { providerInstanceNo } of fresh) probes.underWay.add(providerInstanceNo)
      const left = fresh.values()
      const isWanted = () => all.get(subject) === probes
      const workers = Array.from({ length: Math.min(AT_ONCE, fresh.length) }, () =>
        probeEach(probes, left, isWanted),
      )
      probes.idle = Promise.all([probes.idle, ...workers])
      return probes
    },
    /** Forgets a delivery; its probes that have not begun are skipped. */
    end: (subject: string) => void all.delete(subject),
  }
}
