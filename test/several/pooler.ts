import { chmodSync, existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from '../support/children.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/service.ts'
import { asOwner, saying } from './own-postgres.ts'

/** Where Debian puts it. */
const PROGRAM = '/usr/sbin/pgbouncer'

/** Without PgBouncer its tests cannot run; .ci/run installs it. */
export const withoutPooler = !existsSync(PROGRAM)

/**
 * Starts a PgBouncer in front of a database on this machine.
 *
 * @param mode what a client has for itself: a session of PostgreSQL as long as it is connected, or only for each transaction
 * @returns URL of the database by this way
 */
export async function openPooler(url: string, mode: 'session' | 'transaction'): Promise<string> {
  const { port, username } = new URL(url)
  const here = new URL(url)
  here.port = String(await freePort())
  const folder = await temporaryDirectory()
  // It does not run as whoever runs the tests.
  chmodSync(folder, 0o755)
  const [users, settings] = [join(folder, 'users'), join(folder, 'settings')]
  await writeFile(users, `"${username}" ""\n`)
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${here.port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 50
`,
  )
  const [command = '', ...args] = asOwner(PROGRAM, [settings])
  await saying(startChild(command, args), /process up/)
  return here.href
}
