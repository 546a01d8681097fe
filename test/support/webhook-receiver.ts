import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as Verifier } from 'standardwebhooks'
import { vi } from 'vitest'
import { atTheEnd } from './clean-up.ts'
import { PATIENCE } from './patience.ts'

/** A request that has come in. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
  /** Of the receiver, monotonic. */
  readonly at: number
}

type Answer = (response: ServerResponse, received: Received) => void

export const status =
  (code: number, headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end()
/** Never answers. */
export const hang: Answer = () => {}

/** A receiver of webhooks on this machine, which answers as it is told. */
export async function webhookReceiver(first: Answer = status(204)) {
  let answer = first
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { type, data } = JSON.parse(body) as Received
      const { headers, url: path = '' } = request
      const one = {
        id: String(headers['webhook-id']),
        type,
        data,
        headers,
        body,
        path,
        at: performance.now(),
      }
      received.push(one)
      answer(response, one)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atTheEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return {
    url,
    received,
    answer: (next: Answer) => void (answer = next),
    types: () => received.map(({ type }) => type),
    /** Waits until so many requests have come in. */
    got: (count: number) => vi.waitUntil(() => received.length >= count && received, PATIENCE),
  }
}

/** Checks a request with the library of Standard Webhooks; throws for a wrong signature. */
export function verified({ body, headers }: Received, secret: string): unknown {
  return new Verifier(secret).verify(body, headers as Record<string, string>)
}
