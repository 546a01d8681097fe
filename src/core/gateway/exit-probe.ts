import type { ProbeReason, ProbeStage } from '../checks/prober.ts'
import type { ExitUrl } from './exit-url.ts'

/** What the core needs to try an exit; implemented in `src/checker`. */

/** An exit as it is connected to; null: this machine itself. */
export type TriedExit = ExitUrl | null

export interface ExitTrial {
  /** Stage and reason of the failure, without credentials; null when the exit works. */
  readonly failure: { readonly stage: ProbeStage; readonly reason: ProbeReason } | null
  /** Milliseconds until the exit was connected, and until the target was reached through it. */
  readonly connectMs: number | null
  readonly totalMs: number | null
  /** The address from which the trial reached the echo of this service; null for another target, or without its answer. */
  readonly exitAddress: string | null
}

/** A host to which a connection is opened through the exit, and nothing sent. */
export interface TriedTarget {
  readonly host: string
  readonly port: number
}

/**
 * Tries to reach a target through an exit, or the echo of this service.
 *
 * @param target undefined: the echo, or, where it cannot be reached from outside, the target of the gateway's own probes
 */
export type ExitProber = (exit: TriedExit, target: TriedTarget | undefined) => Promise<ExitTrial>
