import type { Fault, FaultKind, Faults, RecordedRequest, TronMethod } from './types.ts'

/** Kinds that mean something to some methods only: they wait for one of these. */
const SCOPES: Partial<Record<FaultKind['kind'], (method: TronMethod) => boolean>> = {
  'drop-row': isList,
  'duplicate-row': isList,
  ignore: isList,
  'repeat-fingerprint': isList,
  'no-fingerprint': isList,
  'fingerprint-mismatch': isList,
  'wrong-id': (method) => method.endsWith('byid'),
  'solid-lag': (method) => !method.startsWith('wallet/'),
}

function isList(method: TronMethod): boolean {
  return method === 'trc20'
}

/** The faults that tests order, each for a number of requests. */
export function createFaults(): Faults & {
  take(method: TronMethod, parameters: RecordedRequest['parameters']): readonly Fault[]
} {
  const ordered = new Map<Fault, { left: number }>()

  const hits = ({ kind, method }: Fault, asked: TronMethod) =>
    method === undefined ? (SCOPES[kind]?.(asked) ?? true) : method === asked

  return {
    inject(fault) {
      // A copy: the same object may be ordered twice.
      const entry = { ...fault }
      ordered.set(entry, { left: fault.times ?? 1 })
      return () => void ordered.delete(entry)
    },
    clear: () => ordered.clear(),
    /** Takes all faults that hit this request, and counts them as used. */
    take(method, parameters) {
      const taken = [...ordered].filter(
        ([fault]) => hits(fault, method) && (fault.when?.(parameters) ?? true),
      )
      for (const [fault, count] of taken) if (--count.left <= 0) ordered.delete(fault)
      return taken.map(([fault]) => fault)
    },
  }
}
