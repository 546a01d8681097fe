import type { Probe, ProxyProber } from '../../src/core/checks/prober.ts'
import type { Database } from '../../src/core/database/database.ts'

/** A prober that sees what the test says; everything works unless it says otherwise. */
export interface ScriptedProber extends ProxyProber {
  probe: ProxyProber['probe']
  /** Addresses that do not answer. */
  readonly dead: Set<string>
  /** Whether our own echo can be reached. */
  control: boolean
  /** Whether this process knows that it can be reached from outside: not so after a restart. */
  proven: boolean
  /** Addresses that were probed, in order. */
  readonly probed: string[]
}

export const ALIVE: Probe = {
  stage: 'done',
  reason: null,
  connectMs: 12,
  firstByteMs: 34,
  exitAddress: '198.51.100.1',
}
export const UNREACHED: Probe = {
  stage: 'connect',
  reason: 'timeout',
  connectMs: null,
  firstByteMs: null,
  exitAddress: null,
}

export function scriptedProber(): ScriptedProber {
  const prober: ScriptedProber = {
    ready: true,
    proven: true,
    dead: new Set(),
    control: true,
    probed: [],
    probe: ({ ip }) => {
      prober.probed.push(ip)
      return Promise.resolve(prober.dead.has(ip) || !prober.control ? UNREACHED : ALIVE)
    },
    controlWorks: () => Promise.resolve(prober.control),
  }
  return prober
}

/**
 * From now on each probe lasts until `size` are under way; so the number of proxies must be a multiple of it.
 *
 * @returns how many were under way at once at most
 */
export function probedInCrowds(
  prober: ScriptedProber,
  size: number,
  db: Database,
): { readonly most: number } {
  const seen = { most: 0 }
  let crowd: (() => void)[] = []
  let running = 0
  const { probe } = prober
  prober.probe = async (proxy) => {
    seen.most = Math.max(seen.most, (running += 1))
    if (running < size) await new Promise<void>((resolve) => crowd.push(resolve))
    else {
      // Whoever comes although these are under way is here by then.
      for (let trip = 0; trip < 5; trip += 1) await db.write((tx) => tx.setting.count())
      for (const end of crowd) end()
      crowd = []
    }
    running -= 1
    return probe(proxy)
  }
  return seen
}
