import { expect, test, vi } from 'vitest'
import { DRIVERS } from '../../../src/suppliers/drivers.ts'
import { command } from '../../support/command-line.ts'
import { PATIENCE } from '../../support/patience.ts'
import type { ProductProcess } from '../../support/process.ts'
import { GATEWAY, gatewayCheck, occupy, sandbox } from './sandbox-with-gateway.ts'

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

test('A sandbox that starts again has the same exits where they are now, and its products name the gateway', async () => {
  const { database, start } = await sandbox()
  const exits = async () => {
    const { stdout } = await command(['exit', 'list'], {
      database,
      drivers: DRIVERS,
      env: { SECRETS_KEY: '' },
    })
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
