import type { BackupProblem } from '../../generated/kysely/tables.ts'
import type { BackupPlace } from '../facts/backup-place.ts'

export type { BackupProblem }
/** What became of an attempt at a backup. */
export interface MadeBackup {
  /** Of the file that was stored; 0 where there is none. */
  readonly bytes: number
  /** Where it stands, read back from there. */
  readonly places: readonly BackupPlace[]
  /** Undefined: it stands everywhere, and the copy that was read back is sound and its books balance. */
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
   * @returns also what went wrong
   */
  make(name: string): Promise<MadeBackup | NoAttempt>
}

/** That backups are made, and how often without being asked for. */
export interface Backups {
  readonly maker: BackupMaker
  /** Undefined: only when somebody asks. */
  readonly everyMs: number | undefined
}
