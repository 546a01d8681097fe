import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { projectUrl } from '../src/project-url.ts'
import { startChild } from './support/children.ts'
import { atTheEnd } from './support/clean-up.ts'
import { freePort } from './support/free-port.ts'
import { PATIENCE } from './support/patience.ts'
import { temporaryDirectory } from './support/service.ts'

/** Whether a program is there. */
function has(program: string): boolean {
  try {
    execFileSync(program, ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(!has('caddy'))('Caddy sends requests to whichever of the servers is ready', async () => {
  const directory = await temporaryDirectory()
  const ready = new Map([
    ['a', true],
    ['b', true],
  ])
  const shop = async (name: string) => {
    const server = createServer(({ url, headers }, response) => {
      const isReady = ready.get(name) === true
      response.writeHead(url === '/readyz' && !isReady ? 503 : 200)
      response.end(`${name} ${String(headers['x-forwarded-for'])}`)
    }).listen(0, '127.0.0.1')
    atTheEnd(() => server.close())
    await vi.waitUntil(() => server.listening, PATIENCE)
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const [outside, inside] = [await freePort(), await freePort()]
  const text = readFileSync(projectUrl('Caddyfile'), 'utf8')
    .replace('shop-a:3000', await shop('a'))
    .replace('shop-b:3000', await shop('b'))
    .replace(':8080', `:${inside}`)
  // Of the machine that runs the test nothing is used: no port 80, no certificates, no interface for commands.
  await writeFile(join(directory, 'Caddyfile'), `{\n\tadmin off\n}\n${text}`)
  const caddy = startChild('caddy', ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', HOME: directory, DOMAIN: `http://127.0.0.1:${outside}` },
  })
  let log = ''
  caddy.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const ask = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    return answer.text()
  }
  await vi.waitUntil(() => log.includes('serving initial configuration'), PATIENCE)
  /** Which of the servers answer ten requests. */
  const answering = async (port: number) => {
    const answers = new Set<string>()
    for (let count = 0; count < 10; count += 1) answers.add(await ask(port))
    return [...answers].toSorted()
  }
  /** How many of twenty requests in a row each of them has answered. */
  const shares = async (port: number) => {
    const counts = { a: 0, b: 0 }
    for (let count = 0; count < 20; count += 1) counts[(await ask(port)).startsWith('a') ? 'a' : 'b'] += 1
    return counts
  }
  for (const port of [outside, inside]) {
    ready.set('a', true).set('b', true)
    await expect.poll(() => answering(port), PATIENCE).toEqual(['a 127.0.0.1', 'b 127.0.0.1'])
    // By turns, as each lets half of a limit through. By chance it would be so once in six times.
    for (let times = 0; times < 5; times += 1) expect(await shares(port)).toEqual({ a: 10, b: 10 })
    ready.set('a', false)
    await expect.poll(() => answering(port), PATIENCE).toEqual(['b 127.0.0.1'])
    ready.set('a', true).set('b', false)
    await expect.poll(() => answering(port), PATIENCE).toEqual(['a 127.0.0.1'])
  }
})
