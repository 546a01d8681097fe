import type { Fault, FaultKind, Faults, Method, OrderKind } from './types.ts'

const KINDS: Partial<Record<Method, OrderKind>> = {
  'instance/open': 'open',
  'instance/renew': 'renew',
  'instance/release': 'release',
  'instance/reset/password': 'reset',
}

const CARRIED_OUT: ReadonlySet<FaultKind> = new Set(['lose_answer', 'truncate', 'garbage'])

export interface Hit {
  readonly what: FaultKind
  readonly carriedOut: boolean
}

/** The faults that tests order, each for a number of requests. */
export function createFaults(): Faults & { take(method: Method): Hit | undefined } {
  const ordered = new Map<Fault, { left: number }>()
  return {
    add(fault) {
      // A copy: the same object may be ordered twice.
      const entry = { ...fault }
      ordered.set(entry, { left: fault.times ?? 1 })
      return () => void ordered.delete(entry)
    },
    clear: () => ordered.clear(),
    /** Takes the oldest fault that hits the method, and counts it as used. */
    take(method) {
      const hit = [...ordered].find(([{ on }]) => on === method || on === KINDS[method])
      if (!hit) return undefined
      const [fault, count] = hit
      if (--count.left <= 0) ordered.delete(fault)
      return { what: fault.what, carriedOut: fault.carriedOut ?? CARRIED_OUT.has(fault.what) }
    },
  }
}
