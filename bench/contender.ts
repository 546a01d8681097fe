import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 10_000
const READY_CHECK_MS = 20
/** Of a clock tick, in which Linux counts processor time. */
const TICK_MS = 10
const root = fileURLToPath(new URL('../', import.meta.url))

/** A server under test: a process of its own with its own copy of the database. */
export interface Contender {
  readonly name: string
  readonly address: string
  /** Path of its database. */
  readonly database: string
  readonly pid: number
  /** Milliseconds until it could be asked. */
  readonly started: number
  stop(): Promise<void>
  /** Stops it and starts it again on the same database. */
  restart(): Promise<Contender>
}

const running = new Set<ChildProcess>()
// However this process ends, nothing of it stays behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const PRODUCT = ['--enable-source-maps', join(root, 'dist', 'main.js')]
const TSX = ['--import', join(root, 'node_modules/tsx/dist/esm/index.mjs')]

/** The product as `npm start` runs it, with its background loop and its log, as the sandbox. */
export function startProduct(
  template: string,
  directory: string,
  jwtSecret: string,
  name = 'product',
): Promise<Contender> {
  return start(name, template, join(directory, name), (database) => ({
    args: PRODUCT,
    env: {
      DATABASE_URL: `file:${database}`,
      JWT_SECRET: jwtSecret,
      SECRETS_KEY: jwtSecret,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX: 'on',
      // Counted as always, but never reached: one account does what thousands would.
      RATE_LIMIT_READS: '9999999',
      RATE_LIMIT_WRITES: '9999999',
    },
  }))
}

export function startFloor(
  mode: 'each' | 'group',
  template: string,
  directory: string,
  jwtSecret: string,
): Promise<Contender> {
  return start(`floor-${mode}`, template, join(directory, `floor-${mode}`), (database) => ({
    args: [...TSX, join(root, 'bench', 'floor-server.ts'), mode, database],
    env: { JWT_SECRET: jwtSecret },
  }))
}

/**
 * The product as it runs with a bot of its own.
 *
 * @param telegram its token, and where its Telegram is
 * @param change what happens to its database before it starts
 */
export function startProductBot(
  template: string,
  directory: string,
  jwtSecret: string,
  telegram: Readonly<Record<string, string>>,
  change: (database: string) => void,
): Promise<Contender> {
  return start('bot', template, join(directory, 'bot'), (database) => {
    change(database)
    const settings = {
      DATABASE_URL: `file:${database}`,
      JWT_SECRET: jwtSecret,
      PORT: '0',
      RATE_LIMIT_CHAT: '0',
    }
    return { args: PRODUCT, env: { ...settings, ...telegram } }
  })
}

export function startBareBot(
  template: string,
  directory: string,
  telegram: Readonly<Record<string, string>>,
): Promise<Contender> {
  return start('bare-bot', template, join(directory, 'bare-bot'), () => ({
    args: [...TSX, join(root, 'bench', 'bare-bot.ts')],
    env: telegram,
  }))
}

/** The supplier of `supplier-server.ts`, for a shop with these credentials. */
export function startSupplier(
  template: string,
  directory: string,
  { key, secret }: { readonly key: string; readonly secret: string },
): Promise<Contender> {
  return start('supplier', template, join(directory, 'supplier'), () => ({
    args: [...TSX, join(root, 'bench', 'supplier-server.ts'), key, secret],
    env: {},
  }))
}

interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

function start(
  name: string,
  template: string,
  directory: string,
  command: (database: string) => Command,
): Promise<Contender> {
  mkdirSync(directory)
  const database = join(directory, 'bench.db')
  copyFileSync(template, database)
  return run(name, database, command(database))
}

async function run(name: string, database: string, { args, env }: Command): Promise<Contender> {
  const directory = dirname(database)
  // A file, as in reality; a pipe would make this process read every line of the log.
  const log = join(directory, 'log')
  const output = openSync(log, 'w')
  // The directory is its own, and the environment holds no more than this: a `.env` with a real bot's token stays out.
  const begun = performance.now()
  const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', output, output] })
  closeSync(output)
  running.add(child)
  child.once('exit', (code) => {
    running.delete(child)
    if (code)
      process.stderr.write(`bench: ${name} ended with ${code}\n${readFileSync(log, 'utf8').slice(-2000)}\n`)
  })

  const deadline = performance.now() + START_LIMIT_MS
  for (;;) {
    const text = readFileSync(log, 'utf8')
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (address)
      return {
        name,
        address,
        database,
        pid: child.pid ?? 0,
        started: performance.now() - begun,
        stop: () => stop(child),
        restart: async () => {
          await stop(child)
          return run(name, database, { args, env })
        },
      }
    if (!running.has(child) || performance.now() > deadline)
      throw new Error(`${name} did not start:\n${text}`)
    await delay(READY_CHECK_MS)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const ended = once(child, 'exit')
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  child.kill('SIGTERM')
  await ended
  clearTimeout(limit)
}

/** Resident memory in MB; none when the process has ended. */
export function residentMb({ pid }: Contender): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Milliseconds that a process has used so far (Linux). */
export function processorTime({ pid }: Contender): number {
  const [, , , , , , , , , , , user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  return (user + system) * TICK_MS
}
