import { expect, test, vi } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { OperatorError } from '../../../src/core/operator-error.ts'
import { PATIENCE } from '../../support/patience.ts'
import { SECRETS } from '../../support/shop-to-kill.ts'
import { gatewayCheck, occupy, sandbox } from './sandbox-with-gateway.ts'

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
] as const)('A shop with %o does not start', ([settings, sentence]) => {
  const load = () => loadConfig({ PORT: '0', ...SECRETS, ...settings })
  expect(load).toThrow(OperatorError)
  expect(load).toThrow(sentence)
  // A headline, and that alone.
  expect(load).toThrow(/^[^\n]+(?:\n[^\n]+)?$/)
})
