import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  /** Without the slash in front, such as `walletsolidity/getblock`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
}

/** An object is sent as JSON with 200; a function writes the response itself. */
export type Answer = object | ((response: ServerResponse) => void)

/** `reply(429, '{"Error":…}')`: any status, and a body as it is. */
export const reply =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body)

/** A TRON node on this machine that says what the test wants, in the test's own words; it ends with the test. */
export async function startNode(answer: (asked: Asked) => Answer) {
  const asked: Asked[] = []
  const state = { answer }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://node')
      const text = Buffer.concat(chunks).toString()
      const question: Asked = {
        path: pathname.slice(1),
        query: Object.fromEntries(searchParams),
        body: text ? (JSON.parse(text) as Asked['body']) : {},
        headers: request.headers,
      }
      asked.push(question)
      const said = state.answer(question)
      if (typeof said === 'function') said(response)
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(said))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What was asked so far, oldest first. */
    asked,
    /** May be changed at any time. */
    state,
  }
}
