/** Space of the disk with the database. */
export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

export type DiskLevel = 'enough' | 'low' | 'full'

const MB = 1_000_000
/** With less free space, the next write of the database may fail. */
const FULL_BYTES = 20 * MB
const LOW_BYTES = 500 * MB
/** On large disks the limit is this share of the disk, up to a maximum. */
const LOW_SHARE = { share: 0.05, atMostBytes: 5_000 * MB }
/** Hysteresis: after it was low, the limit is higher by this factor, so that small changes are not reported repeatedly. */
const RECOVERY_FACTOR = 1.1

/** @param before the level at the last look */
export function diskLevel({ freeBytes, totalBytes }: DiskSpace, before: DiskLevel = 'enough'): DiskLevel {
  const atLeast = (bytes: number) => freeBytes >= (before === 'enough' ? bytes : bytes * RECOVERY_FACTOR)
  if (freeBytes < FULL_BYTES) return 'full'
  const share = Math.min(totalBytes * LOW_SHARE.share, LOW_SHARE.atMostBytes)
  return atLeast(Math.max(LOW_BYTES, share)) ? 'enough' : 'low'
}
