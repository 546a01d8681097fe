import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'

export interface ShopRequest {
  /** Below the address of the shop, with its query. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

/**
 * @returns the head of the answer, whose body is still to be read
 * @throws Error of the connection; AbortError
 */
export type RequestToShop = (request: ShopRequest) => Promise<IncomingMessage>

/** How long a connection waits for its next request: less than servers wait, which would close it under a batch. */
const FREE_MS = 3_000

/**
 * Asks the shop over connections that are kept for the next request, at less cost than `fetch`. Redirects are not followed.
 *
 * @param url of the shop, http or https
 */
export function shopAt(url: string): RequestToShop {
  const { Agent, request } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, timeout: FREE_MS })
  return ({ path, body, ...options }) =>
    new Promise((resolve, reject) => {
      request(url + path, { ...options, agent }, resolve)
        .on('error', reject)
        .end(body)
    })
}
