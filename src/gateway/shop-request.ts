import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'

export interface ShopRequest {
  /** Path below the address of the shop, with its query. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The limit for the whole answer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** An answer; `failure`: why there is none, in few words and without anything that was sent. */
export type ShopAnswer = { readonly status: number; readonly text: string } | { readonly failure: string }

/** How long a connection waits for its next request: less than servers wait, or one would close it while a batch is sent. */
const FREE_MS = 3_000
/** Far more than a page of accounts takes. */
const MAX_ANSWER_BYTES = 16_000_000

/** Asks the shop over connections that are kept for the next request. Redirects are not followed. */
export class ShopRequests {
  readonly #url: string
  readonly #client: typeof http | typeof https
  readonly #agent: http.Agent

  /** @param url of the shop, http or https */
  constructor(url: string) {
    this.#url = url
    this.#client = url.startsWith('https:') ? https : http
    this.#agent = new this.#client.Agent({ keepAlive: true, timeout: FREE_MS })
  }

  async ask({ timeoutMs, signal, ...request }: ShopRequest): Promise<ShopAnswer> {
    const ending = new AbortController()
    const end = () => ending.abort()
    const timer = setTimeout(end, timeoutMs)
    signal.addEventListener('abort', end)
    try {
      return await answerIn(await this.#send({ ...request, signal: ending.signal }))
    } catch (error) {
      const { code = 'the connection failed' } = error as NodeJS.ErrnoException
      return { failure: ending.signal.aborted ? 'no answer in time' : code }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }

  /** Closes the connections; nothing is asked any more. */
  close(): void {
    this.#agent.destroy()
  }

  #send({ path, body, ...options }: Omit<ShopRequest, 'timeoutMs'>): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      this.#client
        .request(this.#url + path, { ...options, agent: this.#agent }, resolve)
        .on('error', reject)
        .end(body)
    })
  }
}

async function answerIn(response: IncomingMessage): Promise<ShopAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) return { failure: 'the answer is too large' }
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
}
