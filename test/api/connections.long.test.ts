import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { answers, ask, expectOneInHand, listening, logIn, SCRIPT } from './raw-connections.ts'

test.each([
  ['the health check', ask('/healthz')],
  ['an unknown route', ask('/api/nothing')],
  ['the API document', ask('/api/openapi.json')],
  ['the script of the docs page', ask(SCRIPT)],
  ['the log-in', logIn('{}')],
  ['a public link', ask('/api/open/app/dynamic/extract/bm8tc3VjaC1saW5r')],
  ['the metrics', ask('/metrics')],
])(
  'Connections that ask for %s 300 times at once and read nothing hold one request each, and leave nothing open',
  (_, request) => expectOneInHand(request),
)

test('A thousand requests that are sent at once to one connection are all answered', async () => {
  const { socket } = await listening()
  const client = socket()
  client.write(ask('/healthz').repeat(1_000))
  expect(await answers(client, 1_000)).toEqual(Array(1_000).fill(200))
})

test('Of many requests that are sent at once no more than 80 KiB wait in memory', async () => {
  const { server, socket } = await listening()
  let waiting = 0
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => (waiting = Math.max(waiting, request.socket.readableLength)))
  })
  const client = socket()
  client.write(ask('/healthz').repeat(6_000))
  expect(await answers(client, 3_000)).toHaveLength(3_000)
  expect(waiting).toBeGreaterThan(16 * 1024)
  expect(waiting).toBeLessThanOrEqual(80 * 1024)
  client.destroy()
})
