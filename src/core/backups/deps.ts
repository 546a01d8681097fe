import type { Essentials } from '../jobs/essentials.ts'
import type { Backups } from './backup-maker.ts'

/** Dependencies of the use cases of backups. */
export interface BackupDeps extends Essentials {
  /** Undefined where no backups can be made. */
  readonly backups: Backups | undefined
}
