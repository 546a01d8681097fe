/** Returns the name of a backup that begins now; names sort by time. */
export function backupName(now: Date): string {
  return `reseller-${now.toISOString().replaceAll(/[:.]/g, '-')}`
}

/** Pattern of the names of backup files, with their endings. */
export const BACKUP_FILE = /^reseller-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z\.db\.gz(?:\.age)?$/
