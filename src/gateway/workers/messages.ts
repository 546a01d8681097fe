import type { AccountsPage, ExitFaultDetail } from '../../core/gateway/wire.ts'
import type { ExitWish, Refusal } from '../exit.ts'
import type { Choice } from '../exits/choose-exit.ts'
import type { Blame } from '../exits/exit-fault.ts'
import type { FrontFigures } from '../front.ts'

/** What the primary, which counts, tells the workers, which serve clients. */
export type ToWorker =
  | { readonly kind: 'page'; readonly page: AccountsPage }
  | { readonly kind: 'unhealthy'; readonly exits: readonly number[] }
  | { readonly kind: 'refuse'; readonly reason: Refusal | undefined }
  | { readonly kind: 'end_tunnels' }
  /** What is left of the lease of an account is wanted back. */
  | { readonly kind: 'recall'; readonly username: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'drain'; readonly limitMs: number }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'report'; readonly report: WorkerReport }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'drained' }
  | { readonly kind: 'closed' }

export type Question =
  | { readonly lease: string }
  | { readonly wish: ExitWish; readonly failed: number | undefined }

/** Bytes of a lease, or the exit that was chosen. */
export type Answer = number | Choice | undefined

/** What a worker did since its last report. */
export interface WorkerReport {
  readonly used: readonly Used[]
  /** Leases, or what was left of them, that go back. */
  readonly returned: readonly { readonly username: string; readonly bytes: number }[]
  readonly exits: readonly ExitEvent[]
  readonly figures: FrontFigures
  /** The account whose lease was recalled: all of it is in this report. */
  readonly recalled?: string
}

export interface Used {
  readonly username: string
  readonly host: string
  readonly bytes: number
}

export type ExitEvent =
  | { readonly exit: number; readonly openedMs: number }
  | {
      readonly exit: number
      readonly fault: { readonly refusal: Refusal; readonly blame: Blame; readonly detail: ExitFaultDetail }
    }
  | { readonly exit: number; readonly bytes: number }
