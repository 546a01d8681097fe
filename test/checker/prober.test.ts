import { describe, expect, test } from 'vitest'
import { createProber } from '../../src/checker/prober.ts'
import { freePort } from '../support/free-port.ts'
import { testProxy } from '../support/test-proxy.ts'
import { echoing, GOOD } from './echoing.ts'

describe('a proxy that works', () => {
  test.each(['http', 'socks5'] as const)('is found alive by %s', async (protocol) => {
    const { prober, asked } = await echoing()
    const { port } = await testProxy({ protocols: [protocol] })
    const probe = await prober.probe({ ip: '127.0.0.1', port, ...GOOD })
    expect(probe).toMatchObject({ stage: 'done', reason: null, exitAddress: '127.0.0.1' })
    expect(probe.connectMs).toBeGreaterThanOrEqual(0)
    expect(probe.firstByteMs).toBeGreaterThanOrEqual(0)
    // The credentials are for the proxy, and go no further.
    expect(asked).toEqual([undefined])
  })

  test('without credentials is asked without them', async () => {
    const { prober } = await echoing()
    for (const protocol of ['http', 'socks5'] as const) {
      const { port } = await testProxy({ protocols: [protocol], accepts: (username) => username === '' })
      expect(await prober.probe({ ip: '127.0.0.1', port, username: '', password: '' })).toMatchObject({
        stage: 'done',
      })
    }
  })

  test('is found where its connections are led elsewhere', async () => {
    const { echoUrl, echo } = await echoing()
    const { port } = await testProxy()
    const prober = createProber({ echoUrl: () => echoUrl, echo, dial: () => ({ host: '127.0.0.1', port }) })
    expect(await prober.probe({ ip: '192.0.2.1', port: 8000, ...GOOD })).toMatchObject({ stage: 'done' })
  })
})

describe('a proxy that does not work', () => {
  test('refuses the connection', async () => {
    const { prober } = await echoing()
    const port = await freePort()
    expect(await prober.probe({ ip: '127.0.0.1', port, ...GOOD })).toEqual({
      stage: 'connect',
      reason: 'refused',
      connectMs: null,
      firstByteMs: null,
      exitAddress: null,
    })
  })

  test.each(['http', 'socks5'] as const)('refuses the credentials by %s', async (protocol) => {
    const { prober } = await echoing()
    const { port } = await testProxy({ protocols: [protocol] })
    expect(await prober.probe({ ip: '127.0.0.1', port, username: 'u0', password: 'wrong' })).toMatchObject({
      stage: 'credentials',
      reason: 'credentials_refused',
    })
  })

  test.each(['http', 'socks5'] as const)('reaches nothing by %s', async (protocol) => {
    const { prober } = await echoing()
    const proxy = await testProxy({ protocols: [protocol] })
    proxy.fault = 'no_exit'
    expect(await prober.probe({ ip: '127.0.0.1', port: proxy.port, ...GOOD })).toMatchObject({
      stage: 'echo',
      reason: 'target_refused',
    })
  })

  test.each(['http', 'socks5'] as const)('answers by %s in place of the echo', async (protocol) => {
    const { prober } = await echoing()
    const proxy = await testProxy({ protocols: [protocol] })
    proxy.fault = 'wrong_answer'
    expect(await prober.probe({ ip: '127.0.0.1', port: proxy.port, ...GOOD })).toMatchObject({
      stage: 'echo',
      reason: 'wrong_answer',
      exitAddress: null,
    })
  })

  test('ends each connection', async () => {
    const { prober } = await echoing()
    const proxy = await testProxy()
    proxy.fault = 'close'
    expect(await prober.probe({ ip: '127.0.0.1', port: proxy.port, ...GOOD })).toMatchObject({
      stage: 'handshake',
      reason: 'closed',
    })
  })

  test('cannot invent the address from which it asks', async () => {
    const { prober } = await echoing({ answer: (text) => text.replace('127.0.0.1', '192.0.2.9') })
    const { port } = await testProxy()
    expect(await prober.probe({ ip: '127.0.0.1', port, ...GOOD })).toMatchObject({
      stage: 'echo',
      reason: 'wrong_answer',
    })
  })
})

describe('the control', () => {
  test('works while the echo answers', async () => {
    expect(await (await echoing()).prober.controlWorks()).toBe(true)
  })

  test('fails where somebody else answers', async () => {
    expect(await (await echoing({ secret: 'another' })).prober.controlWorks()).toBe(false)
  })

  test('fails with the proxy of which the operator knows that it works', async () => {
    const { echoUrl, echo } = await echoing()
    const proxy = await testProxy()
    const controlProxy = { ip: '127.0.0.1', port: proxy.port, ...GOOD }
    const control = () => createProber({ echoUrl: () => echoUrl, echo, controlProxy }).controlWorks()
    expect(await control()).toBe(true)
    proxy.fault = 'no_exit'
    expect(await control()).toBe(false)
  })
})
