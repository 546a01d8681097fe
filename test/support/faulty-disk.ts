import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('faulty-disk.c', import.meta.url))
const COMPILERS = ['cc', 'gcc', 'clang', 'g++']

const compiler = COMPILERS.find((name) => spawnSync(name, ['--version']).status === 0)

/** Whether {@link faultyDisk} can be had here. */
export const canHaveFaultyDisk = process.platform === 'linux' && compiler !== undefined
if (!canHaveFaultyDisk)
  process.stderr.write('Faults of the disk are not tested here: that takes Linux and a C compiler.\n')

/**
 * Compiles what stands between a process and its disk; the process has to be started with `environment`.
 *
 * @param directory where it lies, and what it is told
 */
export function faultyDisk(directory: string) {
  const library = join(directory, 'faulty-disk.so')
  const { status, stderr } = spawnSync(
    compiler ?? '',
    `-x c -shared -fPIC -o ${library} ${SOURCE} -ldl`.split(' '),
  )
  if (status !== 0) throw new Error(`the compiler failed: ${String(stderr)}`)
  const flags = { broken: join(directory, 'broken'), full: join(directory, 'full') }
  return {
    environment: { LD_PRELOAD: library, FAULTY_DISK_BROKEN: flags.broken, FAULTY_DISK_FULL: flags.full },
    /** From now on nothing becomes durable (EIO from fsync), or nothing can be written (ENOSPC). */
    become: (fault: 'broken' | 'full') => writeFileSync(flags[fault], ''),
    recover: () => {
      for (const flag of Object.values(flags)) rmSync(flag, { force: true })
    },
    /** Environment of a process that dies at its nth write. */
    killAt: (write: number) => ({ LD_PRELOAD: library, FAULTY_DISK_KILL_AT: String(write) }),
  }
}
