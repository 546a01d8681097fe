import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { endChild, startChild } from './children.ts'
import { freePort } from './free-port.ts'
import { root } from './tethered.ts'
import { PATIENCE } from './patience.ts'
import { sandboxFolder } from './sandbox-folder.ts'

const main = `${root}dist/main.js`

/** A service whose output goes nowhere, by a redirection in a shell, works and stops all the same. */
export async function proveServiceWithout(redirection: string): Promise<void> {
  const directory = await sandboxFolder()
  const port = await freePort()
  // The shell becomes the service.
  const child = startChild('sh', ['-c', `exec "$0" "$1" ${redirection}`, process.execPath, main], {
    cwd: directory,
    env: { PORT: String(port), DATABASE_URL: `file:${join(directory, 'reseller.db')}`, LOG_LEVEL: 'trace' },
  })
  child.stdout.destroy()
  child.stderr.destroy()
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
  await vi.waitUntil(async () => (await status('/healthz')) === 200, PATIENCE)
  // Each of them is a line of the log.
  for (let attempt = 1; attempt <= 5; attempt += 1)
    expect(await status('/api/auth/login', { username: 'nobody', password: 'x' })).toBe(401)
  expect(await status('/api/auth/login', { username: 'agent', password: 'agent-demo' })).toBe(200)
  expect(await status('/readyz')).toBe(200)
  expect(await endChild(child, 'SIGTERM')).toBe(0)
}
