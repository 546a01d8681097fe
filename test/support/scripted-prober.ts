import type { Probe, ProxyProber } from '../../src/core/checks/prober.ts'

/** A prober that sees what the test says; everything works unless it says otherwise. */
export interface ScriptedProber extends ProxyProber {
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
