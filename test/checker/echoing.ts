import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProber } from '../../src/checker/prober.ts'
import { echoOf } from '../../src/core/checks/echo.ts'
import { systemClock } from '../../src/core/clock.ts'
import { atTheEnd } from '../support/clean-up.ts'

/** Credentials that the proxies of the tests accept. */
export const GOOD = { username: 'u0', password: 'secret' }

/** An echo of its own, and the prober that asks it. */
export async function echoing(change: { secret?: string; answer?: (text: string) => string } = {}) {
  const echo = echoOf('a secret', systemClock)
  const answering = change.secret === undefined ? echo : echoOf(change.secret, systemClock)
  const asked: (string | undefined)[] = []
  const server = http.createServer(({ url = '', socket, headers }, response) => {
    asked.push(headers['proxy-authorization'])
    const text = answering.answer(url.replace('/echo/', ''), socket.remoteAddress ?? '')
    if (text === undefined) response.writeHead(404).end()
    else response.end(change.answer?.(text) ?? text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => void server.close())
  const echoUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { echoUrl, echo, asked, server, prober: createProber({ echoUrl: () => echoUrl, echo }) }
}
