import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { atTheEnd } from '../../support/clean-up.ts'
import { PATIENCE } from '../../support/patience.ts'
import { type ProductProcess, startProcess } from '../../support/process.ts'
import { operator } from '../../support/processes.ts'
import { temporaryDirectory } from '../../support/service.ts'

const GATEWAY = /^ {2}proxy +(127\.0\.0\.1:\d+)$/m

async function sandbox() {
  const directory = await temporaryDirectory()
  const database = join(directory, 'reseller.db')
  const start = (settings: Readonly<Record<string, string>> = {}) =>
    startProcess({ PORT: '0', GATEWAY_PORT: '', DATABASE_URL: `file:${database}`, ...settings }, directory)
  return { database, start }
}

const gatewayCheck = async ({ address }: ProductProcess) => {
  const ready = (await (await fetch(`${address}/readyz`)).json()) as { checks: Record<string, string> }
  return ready.checks['gateway']
}

/** Where the gateway is by its own words, once customers are told the same. */
async function addressOf(product: ProductProcess) {
  const gateway = await vi.waitUntil(() => GATEWAY.exec(product.output())?.[1], PATIENCE)
  const login = await fetch(`${product.address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'customer', password: 'customer-demo' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const told = async () => {
    const answer = await fetch(`${product.address}/b/api/open/app/dynamic/extract`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${data.token}` },
      body: '{}',
    })
    const { items } = ((await answer.json()) as { data: { items: [{ host: string; port: number }] } }).data
    return `${items[0].host}:${items[0].port}`
  }
  await vi.waitUntil(async () => (await told()) === gateway, PATIENCE)
  return gateway
}

/** A server on a port that others may want. */
async function occupy(wanted = 0) {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const close = () => new Promise((resolve) => server.close(resolve))
  atTheEnd(close)
  return { port: (server.address() as AddressInfo).port, close }
}

test('A sandbox that starts again has the same exits where they are now, and its products name the gateway', async () => {
  const { database, start } = await sandbox()
  const exits = async () => {
    const { stdout } = await operator(['exit', 'list'], { database })
    return { count: stdout.trim().split('\n').length, ports: new Set(stdout.match(/(?<=127\.0\.0\.1:)\d+/g)) }
  }
  const first = await start()
  const gateway = await addressOf(first)
  await vi.waitUntil(async () => (await gatewayCheck(first)) === 'ok', PATIENCE)
  const before = await exits()
  await first.kill()

  const [exitPort] = before.ports
  const other = await occupy(Number(exitPort))
  const second = await start()
  const after = await addressOf(second)
  expect(after).not.toBe(gateway)
  await vi.waitUntil(async () => (await gatewayCheck(second)) === 'ok', PATIENCE)
  const now = await exits()
  expect(now.count).toBe(before.count)
  expect(now.ports.size).toBe(1)
  expect(now.ports).not.toEqual(before.ports)
  await second.terminate()
  await other.close()

  const third = await start({ GATEWAY_PORT: 'off' })
  expect(await gatewayCheck(third)).toBe(undefined)
  expect(third.output()).not.toMatch(GATEWAY)
  expect((await exits()).count).toBe(before.count)
  await third.terminate()
})

test('A gateway whose port is taken is told, and tried again, while the shop works', async () => {
  const { start } = await sandbox()
  const { port, close } = await occupy()
  const shop = await start({ GATEWAY_PORT: String(port) })
  expect(await gatewayCheck(shop)).toBe('degraded')
  await vi.waitUntil(() => shop.output().includes('the gateway has ended'), PATIENCE)
  expect(shop.output()).toContain(`The gateway cannot listen on 127.0.0.1:${port}: the port is taken.\n`)
  expect(shop.output()).not.toMatch(/^ +at /m)
  expect((await fetch(`${shop.address}/api/docs`)).status).toBe(200)
  await close()
  await vi.waitUntil(async () => (await gatewayCheck(shop)) === 'ok', PATIENCE)
  expect(await shop.terminate()).toBe(0)
})

test.for([
  [{ GATEWAY_PORT: '99999' }, 'GATEWAY_PORT must be a port number, or off'],
  [{ GATEWAY_PORT: 'on' }, 'GATEWAY_PORT must be a port number, or off'],
  [{ GATEWAY_WORKERS: '0' }, 'GATEWAY_WORKERS must be from 1 to 64'],
  [{ GATEWAY_MAX_CONNECTIONS: 'many' }, 'GATEWAY_MAX_CONNECTIONS must be a whole number'],
  [
    { GATEWAY_PROBE_TARGET: 'example.com' },
    'GATEWAY_PROBE_TARGET must be a host and a port, such as example.com:443',
  ],
  [{ GATEWAY_TOKEN: 'short' }, 'GATEWAY_TOKEN must have at least 32 characters'],
] as const)('A shop with %o does not start', async ([settings, sentence]) => {
  const { start } = await sandbox()
  const error = await start(settings).then(
    () => 'it started',
    ({ message }: Error) => message,
  )
  expect(error).toMatch(/^the process ended with 1:\n/)
  expect(error).toContain(sentence)
  expect(error.trim().split('\n').length).toBeLessThan(4)
})
