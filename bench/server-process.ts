import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 10_000
const READY_CHECK_MS = 20
/** After the start of the product, until what it loads in the background is there. */
export const SETTLE_MS = 2_000
/** Of a clock tick, in which Linux counts processor time. */
const TICK_MS = 10
/** The checkout. */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** A server in a process of its own, which does not outlive this one. */
export interface ServerProcess {
  readonly name: string
  readonly address: string
  readonly pid: number
  /** Milliseconds until it could be asked. */
  readonly started: number
  stop(): Promise<void>
}

interface Command {
  readonly name: string
  /** A program other than Node. */
  readonly program?: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where it works and writes its log. */
  readonly directory: string
  /** How its log tells host and port. */
  readonly ready?: RegExp
  /** As whom it runs; this process's user unless said otherwise. */
  readonly uid?: number
  readonly gid?: number
}

const running = new Set<ChildProcess>()
// However this process ends, nothing of it stays behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Arguments with which Node runs a file of this folder. */
export function benchScript(name: string): readonly string[] {
  return ['--import', join(root, 'node_modules/tsx/dist/esm/index.mjs'), join(root, 'bench', name)]
}

/** Arguments with which Node runs a compiled program. */
export function compiled(name: string): readonly string[] {
  return [join(root, 'dist', name)]
}

/** @throws Error when its log does not tell an address in time */
export async function startServer({
  name,
  program = process.execPath,
  args,
  env = {},
  directory,
  ready = /http:\/\/(127\.0\.0\.1:\d+)/,
  ...user
}: Command): Promise<ServerProcess> {
  // A file, as in reality; a pipe would make this process read every line of the log.
  const log = join(directory, `${name}.log`)
  const output = openSync(log, 'w')
  // The directory is its own, and the environment holds no more than this: a `.env` with a real bot's token stays out.
  const begun = performance.now()
  const child = spawn(program, args, { cwd: directory, env, stdio: ['ignore', output, output], ...user })
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
    const [, address] = ready.exec(text) ?? []
    if (address) {
      const started = performance.now() - begun
      return { name, address: `http://${address}`, pid: child.pid ?? 0, started, stop: () => stop(child) }
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
export function residentMb({ pid }: Pick<ServerProcess, 'pid'>): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/**
 * Milliseconds that a process has used so far, user and system time of all its threads (Linux): to the nanosecond, except for those of
 * threads that have ended, which count in clock ticks.
 */
export function processorTime({ pid }: Pick<ServerProcess, 'pid'>): number {
  const [, , , , , , , , , , , user = 0, system = 0] = numbersIn(`/proc/${pid}/stat`)
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => threadTime(`/proc/${pid}/task/${thread}`))
  const living = threads.reduce((total, milliseconds) => total + milliseconds, 0)
  return Math.max(living, (user + system) * TICK_MS)
}

/** None when the thread has ended meanwhile. */
function threadTime(path: string): number {
  try {
    const [nanoseconds = 0] = numbersIn(`${path}/schedstat`)
    return nanoseconds / 1e6
  } catch {
    return 0
  }
}

/** Of one line, behind the name of the program. */
function numbersIn(path: string): readonly number[] {
  return readFileSync(path, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
}
