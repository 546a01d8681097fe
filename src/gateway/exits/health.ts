import type { Logger } from 'pino'
import type { ExitReport, GatewayExit } from '../../core/gateway/wire.ts'
import { ExitFault } from './exit-fault.ts'

/** Failures in a row, all the exit's own, after which it gets no more clients. */
const MAX_FAILURES = 3
const MAX_PROBES_AT_ONCE = 20
const SWEEP_MS = 500

/** When an exit is probed, in milliseconds; tests have shorter times. */
export interface ProbeTimes {
  /** After the last probe of an unhealthy exit. */
  readonly unhealthyMs: number
  /** After the last use of a healthy one. */
  readonly unusedMs: number
  /** After the last success or probe of an exit that failed for an unclear reason. */
  readonly doubtMs: number
}

export const PROBE_TIMES: ProbeTimes = { unhealthyMs: 15_000, unusedMs: 60_000, doubtMs: 5_000 }

/** Hears how connections through exits go. */
export interface ExitObserver {
  /** A connection is open as far as the target, after `connectMs` milliseconds. */
  opened(exitId: number, connectMs: number): void
  failed(exitId: number, fault: ExitFault): void
  /** A connection has ended. */
  carried(exitId: number, bytes: number): void
}

interface HealthOptions {
  /** Opens a connection through the exit, and ends it. */
  readonly probe: (exit: GatewayExit) => Promise<void>
  /** Whether the target of the probes is reached without any exit: otherwise their failures say nothing. */
  readonly control: () => Promise<boolean>
  /** An exit became healthy or unhealthy. */
  readonly changed: () => void
  readonly logger: Logger
  readonly times?: ProbeTimes
}

interface Sums {
  connections: number
  bytes: number
  errors: number
}

interface State {
  exit: GatewayExit
  /** Why it is unhealthy; null: it is healthy. */
  reason: string | null
  failures: number
  connectMs: number | null
  /** Times of the last open connection and of the last probe, by `performance.now()`. */
  openedAt: number
  probedAt: number
  doubtful: boolean
  probing: boolean
  /** Figures since the last report. */
  sums: Sums
  /** The reason as reported last; undefined: never. */
  reported: string | null | undefined
}

/** The health of the exits: which of them get clients (rules 12.5), and what the shop is told of them. */
export class ExitHealth implements ExitObserver {
  readonly #options: HealthOptions
  readonly #times: ProbeTimes
  readonly #timer: NodeJS.Timeout
  #states = new Map<number, State>()
  #probes = 0

  constructor(options: HealthOptions) {
    this.#options = options
    this.#times = options.times ?? PROBE_TIMES
    this.#timer = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.#times.doubtMs))
    this.#timer.unref()
  }

  /** Takes the exits there are from now on; what is known of one with the same address stays. */
  set(exits: readonly GatewayExit[]): void {
    this.#states = new Map(
      exits.map((exit) => {
        const known = this.#states.get(exit.id)
        const same = known?.exit.url === exit.url && known.exit.template === exit.template
        // The same object: a probe may be under way.
        return [exit.id, same ? Object.assign(known, { exit }) : unused(exit)]
      }),
    )
  }

  isHealthy(exitId: number): boolean {
    return this.#states.get(exitId)?.reason === null
  }

  /** Exits that get no clients. */
  unhealthy(): number[] {
    return [...this.#states.values()].flatMap(({ exit, reason }) => (reason === null ? [] : exit.id))
  }

  opened(exitId: number, connectMs: number): void {
    const state = this.#states.get(exitId)
    if (!state) return
    state.sums.connections += 1
    this.#works(state, connectMs)
  }

  failed(exitId: number, fault: ExitFault): void {
    const state = this.#states.get(exitId)
    if (!state || fault.blame === 'target') return
    const { exit } = state
    state.sums.errors += 1
    const reason = fault.detail
    if (fault.blame === 'credentials')
      this.#options.logger.error({ exit: exitId, reason }, 'an exit refuses us')
    // A vendor may refuse the place that the client asked for in the same way.
    if (fault.blame === 'credentials' && exit.kind === 'proxy') return this.#fails(state, reason)
    if (fault.blame !== 'exit') {
      state.doubtful = true
      return
    }
    state.failures += 1
    if (state.failures >= MAX_FAILURES) this.#fails(state, reason)
  }

  carried(exitId: number, bytes: number): void {
    const state = this.#states.get(exitId)
    if (state) state.sums.bytes += bytes
  }

  /** Takes what is new since the last reports. */
  reports(): ExitReport[] {
    return [...this.#states.values()].flatMap((state) => {
      const { exit, reason, connectMs, sums, reported } = state
      if (reported === reason && sums.connections + sums.bytes + sums.errors === 0) return []
      state.reported = reason
      state.sums = { connections: 0, bytes: 0, errors: 0 }
      return { id: exit.id, healthy: reason === null, reason, connect_ms: connectMs, ...sums }
    })
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #works(state: State, connectMs: number): void {
    state.openedAt = performance.now()
    state.connectMs = Math.round(connectMs)
    state.failures = 0
    state.doubtful = false
  }

  #fails(state: State, reason: string): void {
    const wasHealthy = state.reason === null
    state.reason = reason
    if (wasHealthy) this.#tell(state)
  }

  #tell(state: State): void {
    const { exit, reason } = state
    // The probe was of an exit that has meanwhile been removed, or has another address.
    if (this.#states.get(exit.id) !== state) return
    if (reason === null) this.#options.logger.info({ exit: exit.id }, 'an exit is healthy again')
    else this.#options.logger.warn({ exit: exit.id, reason }, 'an exit is unhealthy')
    this.#options.changed()
  }

  #sweep(): void {
    const now = performance.now()
    for (const state of this.#states.values()) {
      if (this.#probes >= MAX_PROBES_AT_ONCE) return
      if (this.#isDue(state, now)) void this.#probe(state)
    }
  }

  #isDue({ exit, reason, openedAt, probedAt, doubtful, probing }: State, now: number): boolean {
    if (probing || exit.kind === 'direct' || exit.status !== 'active') return false
    if (reason !== null) return now - probedAt >= this.#times.unhealthyMs
    const quietMs = now - Math.max(openedAt, probedAt)
    return quietMs >= (doubtful ? this.#times.doubtMs : this.#times.unusedMs)
  }

  async #probe(state: State): Promise<void> {
    const { exit } = state
    this.#probes += 1
    state.probing = true
    const begun = performance.now()
    const fault = await this.#options.probe(exit).catch((error: unknown) => error)
    const connectMs = performance.now() - begun
    const verdict = fault === undefined ? null : await this.#verdictOf(fault)
    this.#probes -= 1
    state.probing = false
    state.probedAt = performance.now()
    state.doubtful = false
    if (verdict === null) this.#recovers(state, connectMs)
    else if (verdict !== undefined) this.#fails(state, verdict)
  }

  /** Returns why the exit is unhealthy; undefined when that is unclear. */
  async #verdictOf(fault: unknown): Promise<string | undefined> {
    if (!(fault instanceof ExitFault)) return undefined
    const itsOwn = fault.blame === 'exit' || fault.blame === 'credentials'
    return itsOwn || (await this.#options.control()) ? fault.detail : undefined
  }

  #recovers(state: State, connectMs: number): void {
    this.#works(state, connectMs)
    if (state.reason === null) return
    state.reason = null
    this.#tell(state)
  }
}

function unused(exit: GatewayExit): State {
  return {
    exit,
    reason: null,
    failures: 0,
    connectMs: null,
    openedAt: -Infinity,
    probedAt: -Infinity,
    doubtful: false,
    probing: false,
    sums: { connections: 0, bytes: 0, errors: 0 },
    reported: undefined,
  }
}
