import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'

export interface ShopRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

/** How long a connection waits for its next request: less than servers wait, which would close it under a batch. */
const FREE_MS = 3_000
const options = { keepAlive: true, timeout: FREE_MS }
const agents = { http: new http.Agent(options), https: new https.Agent(options) }

/**
 * Asks the shop over a connection that is kept for the next request, at less cost than `fetch`. Redirects are not followed.
 *
 * @returns the head of the answer, whose body is still to be read
 * @throws Error of the connection; AbortError
 */
export function askShop(url: string, { body, ...request }: ShopRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = url.startsWith('https:')
      ? https.request(url, { ...request, agent: agents.https }, resolve)
      : http.request(url, { ...request, agent: agents.http }, resolve)
    sent.on('error', reject).end(body)
  })
}
