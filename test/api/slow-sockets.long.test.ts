import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { BALANCE, openApi } from '../support/api.ts'
import { timeOf } from '../support/times.ts'

/** How long a request may take to arrive. */
const LIMIT_MS = 2_000

test('Three hundred clients that dribble their requests do not keep anybody else waiting', async () => {
  const api = await openApi({ api: { requestTimeout: LIMIT_MS } })
  const { server, as, agent } = api
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const { token } = await as(await agent())
  const ask = () =>
    timeOf(async () => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`http://127.0.0.1:${port}/api${BALANCE}`, { headers })
      expect(answer.status).toBe(200)
      await answer.text()
    })
  const slow = Array.from({ length: 300 }, (_, index) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(
      index % 2 === 0
        ? 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '
        : 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    )
    return socket
  })
  const dribble = setInterval(() => slow.forEach((socket) => socket.writable && socket.write('x')), 200)
  const ends = slow.map((socket) => text(socket).catch(() => ''))
  const times: number[] = []
  while (times.length < 100) times.push(await ask())
  const answers = await Promise.all(ends)
  clearInterval(dribble)
  // Whoever waited for one of them would wait until it is given up.
  expect(times.toSorted((a, b) => a - b)[50]).toBeLessThan(LIMIT_MS / 4)
  // Each was told, or at least ended, when its time was up.
  expect(answers.filter((answer) => answer !== '' && !answer.startsWith('HTTP/1.1 408'))).toEqual([])
  expect(slow.filter((socket) => !socket.destroyed && socket.readable)).toEqual([])
})
