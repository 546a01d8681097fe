import type { Readable } from 'node:stream'
import type { BackupPlace } from '../core/facts/backup-place.ts'

/** Somewhere backups are stored. */
export interface Place {
  readonly name: BackupPlace
  /** Stores a file under a name; complete, or not at all. */
  store(file: string, name: string): Promise<void>
  /** @throws when there is none of this name */
  open(name: string): Promise<Readable>
  remove(name: string): Promise<void>
  /** Undefined where files cannot be listed. */
  readonly list?: () => Promise<readonly StoredBackup[]>
}

export interface StoredBackup {
  readonly name: string
  readonly bytes: number
}
