import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { benchScript, processorTime, type ServerProcess, startServer } from './server-process.ts'

/** Where Debian puts the programs of each version. */
const VERSIONS = '/usr/lib/postgresql'

export interface PostgresServer {
  /** URL of one of its databases, by an address at which the server can be reached. */
  urlOf(database: string, address?: string): string
  /** @param template to copy; nobody may be connected to it */
  createDatabase(database: string, template?: string): Promise<void>
  /** A way to it on which each answer is so many milliseconds later. */
  delayed(ms: number): Promise<ServerProcess>
  /** Milliseconds of processor time that its living processes have used so far. */
  processorTime(): number
  stop(): Promise<void>
}

/** The folder with the programs of the newest PostgreSQL that is installed; undefined without one. */
export function postgresPrograms(): string | undefined {
  try {
    const newest = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0]
    return newest && join(VERSIONS, newest, 'bin')
  } catch {
    return undefined
  }
}

/**
 * Starts a PostgreSQL server of its own with the settings that it has by default, in a temporary folder that ends with this process.
 *
 * @param programs of {@link postgresPrograms}
 */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const owner = ownerOfServer()
  const folder = mkdtempSync(join(tmpdir(), 'reseller-bench-postgres-'))
  // Its processes end a moment after the one that started them, and write until then.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (owner) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)
  const superuser = ['-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8']
  execFileSync(join(programs, 'initdb'), ['-D', data, ...superuser], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  })
  const port = await unusedPort()
  const server = await startServer({
    name: 'postgres',
    program: join(programs, 'postgres'),
    args: ['-D', data, '-p', `${port}`, '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    directory: folder,
    ready: /(ready to accept connections)/,
    ...owner,
  })
  const urlOf = (database: string, address = `http://127.0.0.1:${port}`) =>
    `postgresql://postgres@${new URL(address).host}/${database}`
  return {
    urlOf,
    createDatabase: async (database, template = 'template1') => {
      const client = new Client({ connectionString: urlOf('postgres') })
      await client.connect()
      await client.query(`CREATE DATABASE ${database} TEMPLATE ${template}`)
      await client.end()
    },
    delayed: (ms) =>
      startServer({
        name: `delaying-proxy-${ms}`,
        args: [...benchScript('delaying-proxy.ts'), `${port}`, `${ms}`],
        directory: folder,
      }),
    processorTime: () =>
      childrenOf(server.pid)
        .map(timeOfChild)
        .reduce((total, milliseconds) => total + milliseconds, processorTime(server)),
    stop: () => server.stop(),
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

/** None when it has ended meanwhile. */
function timeOfChild(pid: number): number {
  try {
    return processorTime({ pid })
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

/** The server refuses to run as root. */
function ownerOfServer(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}
