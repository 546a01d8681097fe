import { once } from 'node:events'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import { answers, ask, expectOneInHand, listening, LOGIN, logIn, SCRIPT } from './raw-connections.ts'

test('Connections that ask for the docs page 300 times at once and read nothing hold one request each, and leave nothing open', () =>
  expectOneInHand(ask('/api/docs/')))

test('Requests in a row are all answered in their order, however the bytes are cut', async () => {
  const { socket } = await listening()
  const kinds: readonly (readonly [number, string])[] = [
    [404, ask('/api/nothing')],
    [200, ask('/healthz')],
    [422, logIn('{}')],
    [422, logIn('{\n\n\r\n\r\n}')],
    [
      422,
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\n\n\r\n1\r\n}\r\n0\r\n\r\n`,
    ],
    [415, logIn('x'.repeat(40)).replace('application/json', 'text/plain')],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
      async (sequence, cuts) => {
        const wanted = sequence.map((kind) => kinds[kind]?.[0])
        const bytes = sequence.map((kind) => kinds[kind]?.[1]).join('')
        const client = socket().setNoDelay()
        const got = answers(client, wanted.length)
        for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
          const end = at + (cuts[cut % cuts.length] ?? 1)
          await new Promise((sent) => client.write(bytes.slice(at, end), sent))
          at = end
        }
        expect(await got).toEqual(wanted)
        client.destroy()
      },
    ),
    { numRuns: 20 },
  )
})

test('A client that does not read its answers is cut off, one that reads is not', async () => {
  const { socket, open } = await listening({ connections: { connections: 10, readTimeout: 1_500 } })
  const reader = socket()
  reader.write(ask(SCRIPT))
  let read = 0
  reader.on('data', (bytes: Buffer) => (read += bytes.length))
  const idle = socket().pause()
  idle.write(ask(SCRIPT).repeat(20))
  await vi.waitUntil(() => open.size === 2, PATIENCE)
  await vi.waitUntil(() => open.size === 1, PATIENCE)
  expect(read).toBeGreaterThan(1_000_000)
  expect(reader.destroyed).toBe(false)
})

test('Beyond the number of connections the one that was idle for the longest ends, and the new one is served', async () => {
  const { socket } = await listening({ connections: { connections: 3, readTimeout: 60_000 } })
  const served = async (client: Socket) => {
    client.write(ask('/healthz'))
    await once(client, 'data')
    return client
  }
  const [first, second, third] = [await served(socket()), await served(socket()), await served(socket())]
  await served(first)
  const ended = once(second, 'close')
  const fourth = await served(socket())
  await ended
  for (const client of [first, third, fourth]) await served(client)
})
