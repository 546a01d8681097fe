import { once } from 'node:events'
import { SQLITE_DRIVER } from '../../src/core/database/driver.ts'
import { type Finished, finished, startChild } from './children.ts'
import { leadingToDatabase } from './postgres.ts'
import { root } from './tethered.ts'

export interface OperatorOptions {
  /** File of the database, or a URL on PostgreSQL; without one the environment names none. */
  readonly database?: string
  readonly env?: Readonly<Record<string, string>>
  /** Working directory; the checkout unless said otherwise. */
  readonly cwd?: string
  readonly stdin?: string
}

/** An operator command as a process of its own, compiled by the global set-up as `npm run operator` does. */
export async function operator(
  args: readonly string[],
  { database, env, cwd, stdin = '' }: OperatorOptions = {},
): Promise<Finished> {
  const child = startChild(process.execPath, [`${root}dist/cli/operator.js`, ...args], {
    cwd,
    env: { ...(database && leadingToDatabase(database)), ...env },
  })
  child.stdin.end(stdin)
  return finished(child)
}

/**
 * A second process that holds the write lock of a database until it is let go.
 *
 * @returns releases the lock and waits for the end of the process
 */
export async function lockFromOutside(path: string): Promise<() => Promise<void>> {
  const script = `
    const db = new (require('${SQLITE_DRIVER}'))(process.argv[1])
    db.exec('BEGIN IMMEDIATE')
    process.stdout.write('locked')
    process.stdin.on('data', () => { db.exec('ROLLBACK'); process.exit() })`
  const child = startChild(process.execPath, ['-e', script, path])
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('go')
    await once(child, 'close')
  }
}
