import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { vi } from 'vitest'
import { endChild, startChild } from '../support/children.ts'
import { freePort } from '../support/free-port.ts'
import { PATIENCE } from '../support/patience.ts'
import { temporaryDirectory } from '../support/service.ts'

/** Where Debian puts the programs of each version. */
const VERSIONS = '/usr/lib/postgresql'
const SUPERUSER = 'postgres'

/** A PostgreSQL server of one test, which may be ended in every way. */
export interface OwnPostgres {
  readonly port: number
  /** URL of its one database. */
  readonly url: string
  start(): Promise<void>
  /** Ends all of it in the middle of what it does; it recovers with the next start. */
  stopHard(): Promise<void>
  /** Like a power cut. */
  kill(): Promise<void>
  /** Starts a server that has all that is committed here, before the commit is answered; it can be promoted. */
  startStandby(): Promise<OwnPostgres>
  /** Runs a statement. */
  run(sql: string): Promise<Record<string, unknown>[]>
}

/** Makes a PostgreSQL server and starts it. */
export async function openOwnPostgres(): Promise<OwnPostgres> {
  const data = await dataFolder()
  runAs('initdb', ['-D', data, '-A', 'trust', '-U', SUPERUSER, '--locale=C.UTF-8'])
  const server = await serverOn(data)
  await server.start()
  return server
}

async function serverOn(data: string, ...settings: readonly string[]): Promise<OwnPostgres> {
  const port = await freePort()
  const url = `postgresql://${SUPERUSER}@127.0.0.1:${port}/postgres`
  let child: ReturnType<typeof startChild> | undefined
  const server: OwnPostgres = {
    port,
    url,
    async start() {
      const args = ['-D', data, '-p', `${port}`, '-k', data, '-c', 'listen_addresses=127.0.0.1', ...settings]
      // What a process has written is on the machine, which goes on: it need not be on the disk.
      args.push('-c', 'fsync=off')
      // What its processes share is in its folder, and ends with it, also when they are killed: not in /dev/shm.
      args.push('-c', 'dynamic_shared_memory_type=mmap')
      const [command = '', ...rest] = asOwner(program('postgres'), args)
      child = startChild(command, rest, { cwd: data })
      await saying(child, /ready to accept (read-only )?connections/)
    },
    stopHard: async () => void (child && (await endChild(child, 'SIGQUIT'))),
    async kill() {
      if (child?.pid === undefined) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      process.kill(child.pid, 'SIGKILL')
      await ended
    },
    async startStandby() {
      const copy = await dataFolder()
      runAs('pg_basebackup', ['-D', copy, '-R', '-X', 'stream', '-c', 'fast', '-d', url])
      const standby = await serverOn(copy, '-c', 'cluster_name=standby')
      await standby.start()
      await server.run("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
      await server.run('SELECT pg_reload_conf()')
      await vi.waitUntil(
        async () =>
          (await server.run("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0,
        PATIENCE,
      )
      return standby
    },
    async run(sql) {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows
      } finally {
        await client.end()
      }
    },
  }
  return server
}

/** @throws with what it has written when it ends before it has written something */
export async function saying(child: ReturnType<typeof startChild>, text: RegExp): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (text.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}:\n${output}`)))
  })
}

/** A folder that belongs to whom the server runs as. */
async function dataFolder(): Promise<string> {
  const folder = await temporaryDirectory()
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (userInfo().uid === 0) execFileSync('chown', [SUPERUSER, data])
  return data
}

/** Path of a program of PostgreSQL, of the newest version that is installed. */
export function program(name: string): string {
  const newest = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0] ?? ''
  return join(VERSIONS, newest, 'bin', name)
}

function runAs(name: string, args: readonly string[]): void {
  const [command = '', ...rest] = asOwner(program(name), args)
  execFileSync(command, rest, { cwd: '/', stdio: 'pipe' })
}

/** A command with its arguments: servers of databases refuse to run as root. */
export function asOwner(command: string, args: readonly string[]): string[] {
  const owner = [`--reuid=${SUPERUSER}`, `--regid=${SUPERUSER}`, '--clear-groups']
  return userInfo().uid === 0 ? ['setpriv', ...owner, command, ...args] : [command, ...args]
}
