/**
 * node scripts/start-stop.mjs [TIMES]: starts and stops the service so often on the very Node.js that runs this, and fails when one
 * of its processes is not ready within five minutes, which only a hang takes, or ends otherwise than with status 0. Native modules
 * show their faults there.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const READY_MS = 300_000
const { PATH, RUN_ID = '' } = process.env
const root = fileURLToPath(new URL('..', import.meta.url))
const times = Number(process.argv[2] ?? 50)
const directory = mkdtempSync(join(tmpdir(), 'reseller-start-stop-'))

/** Starts the service, asks whether it is ready, logs in, and stops it. */
async function startAndStop(signal) {
  const child = spawn(process.execPath, ['--max-semi-space-size=32', `${root}scripts/run.mjs`, 'main'], {
    // Where no .env is.
    cwd: directory,
    // The gateway has no native modules.
    env: { PATH, RUN_ID, PORT: '0', GATEWAY_PORT: 'off', DATABASE_URL: `file:${directory}/reseller.db` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const ended = once(child, 'close')
  try {
    const address = await readyAddress(child, () => output)
    const answer = await fetch(`${address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'agent', password: 'agent-demo' }),
    })
    if (!answer.ok) throw new Error(`the log-in was answered with ${answer.status}`)
    child.kill(signal)
    const [status, killedBy] = await ended
    if (status !== 0) throw new Error(`it ended with ${killedBy ?? status}`)
  } catch (error) {
    child.kill('SIGKILL')
    await ended
    throw new Error(`${error.message}\n${output}`, { cause: error })
  }
}

async function readyAddress(child, output) {
  const deadline = performance.now() + READY_MS
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`it ended with ${child.signalCode ?? child.exitCode} before it was ready`)
    const [, address] = /^ *api *(http\S+)\/api$/m.exec(output()) ?? []
    if (address && (await fetch(`${address}/readyz`)).ok) return address
    if (performance.now() > deadline) throw new Error('it was not ready in time')
    await sleep(20)
  }
}

let failures = 0
const begun = performance.now()
for (let time = 1; time <= times; time += 1) {
  try {
    await startAndStop(time % 2 === 0 ? 'SIGINT' : 'SIGTERM')
  } catch (error) {
    failures += 1
    process.stderr.write(`start ${time} of ${times} on Node.js ${process.version}: ${error.message}\n`)
  }
}
rmSync(directory, { recursive: true })
const seconds = Math.round((performance.now() - begun) / 1000)
process.stdout.write(
  `Node.js ${process.version}: ${times - failures} of ${times} starts and stops are clean (${seconds} s)\n`,
)
process.exitCode = failures === 0 ? 0 : 1
