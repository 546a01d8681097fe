/** tsx scripts/left-processes.ts TEXT: fails, and names them, when processes live on that have TEXT in their environment. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** What a process that was told to end may take on a busy machine. */
const GRACE_MS = 10_000

/** Undefined when the process has ended, belongs to somebody else, or there is no /proc. */
function read(pid: string, file: 'status' | 'environ' | 'cmdline'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

/** This process, its parent, and so on. */
function ancestors(): Set<string> {
  const pids = new Set<string>()
  for (let pid: string | undefined = String(process.pid); pid !== undefined;) {
    pids.add(pid)
    pid = /^PPid:\s*(\d+)/m.exec(read(pid, 'status') ?? '')?.[1]
  }
  return pids
}

function living(text: string): string[] {
  const own = ancestors()
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && !own.has(pid) && read(pid, 'environ')?.includes(text))
    .map((pid) => `${pid} ${read(pid, 'cmdline')?.replaceAll('\0', ' ').trim()}`)
}

/**
 * Processes that were started with a text in their environment and live on. Those that are just ending get the time for it;
 * this process and those that started it do not count. Linux only: elsewhere there are never any.
 *
 * @param text what only these processes have in their environment
 * @returns id and command line of each
 */
export async function leftProcesses(text: string): Promise<string[]> {
  if (process.platform !== 'linux') return []
  const end = Date.now() + GRACE_MS
  let left = living(text)
  while (left.length > 0 && Date.now() < end) {
    await delay(100)
    left = living(text)
  }
  return left
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , text = ''] = process.argv
  const left = await leftProcesses(text)
  for (const line of left) process.stderr.write(`A process was left behind: ${line}\n`)
  process.exitCode = left.length > 0 ? 1 : 0
}
