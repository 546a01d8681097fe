import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
/** More than all tests need that run at the same time. */
const ROOM_BYTES = 4_000_000_000

/**
 * Where tests put their files: in memory where Linux has room for them. Each test makes a database of its own, and half of the time of a
 * commit is the disk's. No test cuts the power, which alone would show the difference.
 */
export function scratchFolder(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize < ROOM_BYTES ? tmpdir() : IN_MEMORY
  } catch {
    return tmpdir()
  }
}
