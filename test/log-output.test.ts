import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from './support/service.ts'

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const OUTPUTS = [
  ['that nobody reads any more', 'pipe'],
  ['that has no room left', '/dev/full'],
] as const

it.each(OUTPUTS.filter(([, output]) => output === 'pipe' || existsSync(output)))(
  'An output %s does not stop the service',
  async (_, output) => {
    const directory = await temporaryDirectory()
    const port = await freePort()
    const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
    const target = output === 'pipe' ? output : openSync(output, 'w')
    const child = spawn(process.execPath, [main], {
      cwd: directory,
      env: { PORT: String(port), DATABASE_URL: `file:${join(directory, 'reseller.db')}`, LOG_LEVEL: 'trace' },
      stdio: ['ignore', target, target],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdout?.destroy()
    child.stderr?.destroy()
    const address = `http://127.0.0.1:${port}`
    const status = (path: string, body?: object) =>
      fetch(address + path, {
        ...(body && {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      }).then(
        (response) => response.status,
        () => undefined,
      )
    await vi.waitUntil(async () => (await status('/healthz')) === 200, { timeout: 15_000, interval: 50 })
    // Each of them is a line of the log.
    for (let attempt = 1; attempt <= 5; attempt += 1)
      expect(await status('/api/auth/login', { username: 'nobody', password: 'x' })).toBe(401)
    expect(await status('/api/auth/login', { username: 'agent', password: 'agent-demo' })).toBe(200)
    expect(await status('/readyz')).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)
