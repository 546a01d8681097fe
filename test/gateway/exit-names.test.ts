import { expect, test } from 'vitest'
import { ExitNames } from '../../src/gateway/exits/exit-names.ts'
import { startNameServer } from '../support/name-server.ts'

const SECOND = 1_000

/** Names of exits, with a name server and a clock of the test. */
async function start() {
  const records = {
    'short.example': [{ address: '192.0.2.1', ttl: 5 }],
    'usual.example': [
      { address: '192.0.2.2', ttl: 45 },
      { address: '192.0.2.3', ttl: 300 },
    ],
    'long.example': [{ address: '192.0.2.4', ttl: 86_400 }],
  }
  const { asked, server } = await startNameServer(records)
  let now = 0
  const names = new ExitNames({ servers: [server], now: () => now })
  return { asked, names, records, pass: (ms: number) => void (now += ms) }
}

test.each([
  ['short.example', ['192.0.2.1'], 30],
  ['usual.example', ['192.0.2.2', '192.0.2.3'], 45],
  ['long.example', ['192.0.2.4'], 60],
])(
  '%s is asked for again when its time is over, within 30 to 60 seconds',
  async (name, addresses, seconds) => {
    const { asked, names, pass } = await start()
    expect(await names.addressesOf(name)).toEqual(addresses)
    pass(seconds * SECOND - 1)
    expect(await names.addressesOf(name)).toEqual(addresses)
    expect(asked).toEqual([name])
    pass(1)
    expect(await names.addressesOf(name)).toEqual(addresses)
    expect(asked).toEqual([name, name])
  },
)

test('connections that need a name at the same time ask for it once', async () => {
  const { asked, names } = await start()
  const all = await Promise.all(Array.from({ length: 50 }, () => names.addressesOf('long.example')))
  expect(all).toEqual(all.map(() => ['192.0.2.4']))
  expect(asked).toEqual(['long.example'])
})

test('a name that no name server knows is left to the system, with its hosts file', async () => {
  const { names } = await start()
  const addresses = await names.addressesOf('localhost')
  expect(['127.0.0.1', '::1']).toContain(addresses[0])
})

test('a name that nobody knows is asked for again each time', async () => {
  const { asked, names, records } = await start()
  await expect(names.addressesOf('new.invalid')).rejects.toMatchObject({ syscall: 'getaddrinfo' })
  Object.assign(records, { 'new.invalid': [{ address: '192.0.2.9', ttl: 60 }] })
  expect(await names.addressesOf('new.invalid')).toEqual(['192.0.2.9'])
  expect(asked.filter((name) => name === 'new.invalid').length).toBeGreaterThanOrEqual(2)
})
