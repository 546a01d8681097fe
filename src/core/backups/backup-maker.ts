import type { BackupProblem } from '../../generated/kysely/tables.ts'
import type { BackupPlace } from '../facts/backup-place.ts'

export type { BackupProblem }
/** The outcome of an attempt at a backup. */
export interface MadeBackup {
  /** Size of the file that was stored, in bytes; 0 where there is none. */
  readonly bytes: number
  /** Places where it is stored, verified by reading it back. */
  readonly places: readonly BackupPlace[]
  /** Undefined: it is stored in every place, and the copy that was read back is sound and its books balance. */
  readonly problem?: { readonly code: BackupProblem; readonly detail: string } | undefined
}

/**
 * Why there was no attempt: another backup is being made or verified, the database is of a newer version of the service, or the service
 * was stopped.
 */
export type NoAttempt = 'busy' | 'newer' | 'stopped'

/** Makes backups; implemented outside of the core, in a process of its own. */
export interface BackupMaker {
  /**
   * Copies the database, stores the copy in every place under this name, reads it back and restores it as a trial.
   *
   * @returns the outcome, with the problem where there is one, or why there was no attempt
   */
  make(name: string): Promise<MadeBackup | NoAttempt>
}

/** How backups are made, and how often without being asked for. */
export interface Backups {
  readonly maker: BackupMaker
  /** Interval in ms; undefined: only when somebody asks. */
  readonly everyMs: number | undefined
}
