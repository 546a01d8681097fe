import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { table } from '../src/operator/table.ts'
import { type Contender, startProduct } from './contender.ts'
import { residentMb } from './server-process.ts'

const CONNECTIONS = 1_000
const REQUESTS = 1_000
/** How long the connections stay after everything was sent. */
const HELD_MS = 4_000
const PROBE_EVERY_MS = 25
const PROBE_LIMIT_MS = 5_000
/** How long descriptors may take to be back where they were. */
const SETTLE_LIMIT_MS = 10_000
const TARGETS = { healthzMs: 250, rssMb: 400 }

const client = [
  '--import',
  fileURLToPath(new URL('../node_modules/tsx/dist/esm/index.mjs', import.meta.url)),
  fileURLToPath(new URL('./abuse-client.ts', import.meta.url)),
]

const LOGIN = JSON.stringify({ username: 'agent', password: 'a guess' })
const get11 = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
/** What everybody may ask without a token. */
const REQUESTED: Readonly<Record<string, string>> = {
  health: get11('/healthz'),
  readiness: get11('/readyz'),
  'unknown route': get11('/api/nothing'),
  'API document': get11('/api/openapi.json'),
  'docs page': get11('/api/docs/'),
  'docs script': get11('/api/docs/static/swagger-ui-bundle.js'),
  'log-in': `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${LOGIN.length}\r\n\r\n${LOGIN}`,
  'public link': get11('/api/open/app/dynamic/extract/bm8tc3VjaC1saW5rLWF0LWFsbA'),
  metrics: get11('/metrics'),
  'sandbox page': get11('/sandbox/'),
  'sandbox script': get11('/sandbox/main.js'),
}

/** What one attack did to the product. */
interface Harm {
  /** Slowest answer of `/healthz` on a new connection meanwhile, in milliseconds; infinite: none came in time. */
  readonly healthz: number
  /** Peak of the resident memory, in MB. */
  readonly rss: number
  /** Open descriptors before, at the peak, and when all had calmed down. */
  readonly files: readonly [before: number, peak: number, after: number]
  readonly died: boolean
}

/**
 * `npm run bench -- abuse`: what strangers can do without a log-in. 1,000 connections send 1,000 requests each, all at once, of one
 * public route after the other, and read the answers slowly or not at all; meanwhile somebody else asks for `/healthz`.
 * The product runs with its usual limits.
 *
 * @returns whether it stayed within the targets, and gave back every descriptor
 */
export async function abuse(directory: string, jwtSecret: string): Promise<boolean> {
  const template = join(directory, 'empty.db')
  writeFileSync(template, '')
  let starts = 0
  const start = () => {
    const own = join(directory, `abuse-${(starts += 1)}`)
    mkdirSync(own)
    return startProduct(template, own, jwtSecret)
  }
  let product = await start()
  const rows: string[][] = []
  let allMet = true
  for (const [what, request] of Object.entries(REQUESTED)) {
    for (const reading of ['nothing', 'slowly'] as const) {
      const harm = await attack(product, request, reading)
      const [before, peak, after] = harm.files
      const met =
        !harm.died && harm.healthz <= TARGETS.healthzMs && harm.rss <= TARGETS.rssMb && after <= before + 2
      allMet &&= met
      const figures = [harm.healthz.toFixed(0), harm.rss.toFixed(0), before, peak, after].map(String)
      const row = [what, reading, ...figures, harm.died ? 'died' : met ? 'yes' : 'no']
      process.stderr.write(`bench: ${row.join(' | ')}\n`)
      rows.push(row)
      if (harm.died) product = await start()
    }
  }
  await product.stop()
  const heading = ['route', 'read', 'healthz ms', 'peak RSS MB', 'fds before', 'peak', 'after', 'met']
  console.log(table([heading, ...rows]))
  console.log(
    `\nTargets: /healthz ≤ ${TARGETS.healthzMs} ms, RSS ≤ ${TARGETS.rssMb} MB, descriptors back where they were.`,
  )
  console.log(
    `Node ${process.version}, ${availableParallelism()} CPUs, ${CONNECTIONS} connections, ${REQUESTS} requests each`,
  )
  return allMet
}

async function attack(product: Contender, request: string, reading: string): Promise<Harm> {
  const before = openFiles(product)
  const { port } = new URL(product.address)
  const args = [...client, port, String(CONNECTIONS), String(REQUESTS), reading, request]
  const attacker = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const sent = once(attacker.stdout, 'data')
  let on = true
  const watched = watch(product, () => on)
  await sent
  await delay(HELD_MS)
  attacker.stdin.end()
  await once(attacker, 'exit')
  on = false
  const worst = await watched
  const until = performance.now() + SETTLE_LIMIT_MS
  while (openFiles(product) > before && performance.now() < until) await delay(100)
  const after = openFiles(product)
  return {
    healthz: worst.healthz,
    rss: worst.rss,
    files: [before, Math.max(worst.files, before), after],
    died: after === 0,
  }
}

/** Asks for `/healthz` again and again, and looks at memory and descriptors between. */
async function watch(product: Contender, on: () => boolean) {
  const worst = { healthz: 0, rss: 0, files: 0 }
  while (on()) {
    worst.healthz = Math.max(worst.healthz, await probe(product))
    worst.rss = Math.max(worst.rss, residentMb(product))
    worst.files = Math.max(worst.files, openFiles(product))
    await delay(PROBE_EVERY_MS)
  }
  return worst
}

/** @returns milliseconds to a 200 on a new connection; infinite when none came */
function probe({ address }: Contender): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const failed = () => resolve(Infinity)
    const request = get(`${address}/healthz`, { agent: false, timeout: PROBE_LIMIT_MS }, ({ statusCode }) => {
      resolve(statusCode === 200 ? performance.now() - begun : Infinity)
      request.destroy()
    })
    request.on('timeout', () => request.destroy()).on('error', failed)
  })
}

/** None when the process has ended. */
function openFiles({ pid }: Contender): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
