import type { ProbeReason, ProbeStage } from '../checks/prober.ts'
import type { ExitUrl } from './exit-url.ts'

/** What the core needs to try an exit; implemented in `src/checker`. */

/** An exit as it is connected to; null: this machine itself. */
export type TriedExit = ExitUrl | null

export interface ExitTrial {
  /** Null when it works; else how far it came, and why no further, without credentials. */
  readonly failure: { readonly stage: ProbeStage; readonly reason: ProbeReason } | null
  /** Milliseconds until the exit was connected, and until the target was reached through it. */
  readonly connectMs: number | null
  readonly totalMs: number | null
  /** The address from which the echo of this service was asked; null for another target, or without its answer. */
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
 * @param target undefined: the echo, or the target of the gateway's own probes where nothing outside reaches the echo
 */
export type ExitProber = (exit: TriedExit, target: TriedTarget | undefined) => Promise<ExitTrial>
