import type { ProbeReason, ProbeStage } from '../core/checks/prober.ts'

/** Why a probe came no further. Holds nothing of what was sent or answered: there are credentials in it. */
export class ProbeFault extends Error {
  override readonly name = 'ProbeFault'
  readonly stage: ProbeStage
  readonly reason: ProbeReason
  /** Whether the fault is this machine's. */
  readonly local: boolean

  constructor(stage: ProbeStage, reason: ProbeReason, local = false) {
    super(`${stage}: ${reason}`)
    this.stage = stage
    this.reason = reason
    this.local = local
  }
}

const REASONS: Readonly<Record<string, ProbeReason>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EINVAL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ETIMEDOUT: 'timeout',
}

/** No route, no address, no permission, no descriptors: the proxy has not even been asked. */
const LOCAL = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EINVAL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
])

/** Returns the fault of an error at a stage; a fault, such as that of a time limit, is returned as it is. */
export function faultAt(stage: ProbeStage, error: unknown): ProbeFault {
  if (error instanceof ProbeFault) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return new ProbeFault(stage, 'not_a_proxy')
  // The certificate does not fit: another server answers in place of the echo.
  if (stage === 'echo' && /CERT|TLS|SSL|SIGNATURE/.test(code)) return new ProbeFault(stage, 'wrong_answer')
  return new ProbeFault(stage, REASONS[code] ?? 'closed', stage === 'connect' && LOCAL.has(code))
}
