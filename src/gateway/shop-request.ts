import { Worker } from 'node:worker_threads'

export interface ShopRequest {
  /** Below the address of the shop, with its query. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** For the whole answer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** `failure`: why there is none, in few words and without anything that was sent. */
export type ShopAnswer = { readonly status: number; readonly text: string } | { readonly failure: string }

/** Asks the shop, by a thread that keeps the connections for the next request (`shop-thread.js`). Redirects are not followed. */
export class ShopRequests {
  readonly #thread: Worker
  readonly #waiting = new Map<number, (answer: ShopAnswer) => void>()
  #asked = 0

  /** @param url of the shop, http or https */
  constructor(url: string) {
    this.#thread = new Worker(new URL('shop-thread.js', import.meta.url), { workerData: { url } })
    this.#thread.on('message', ({ id, ...answer }: ShopAnswer & { readonly id: number }) =>
      this.#waiting.get(id)?.(answer),
    )
  }

  async ask({ signal, ...request }: ShopRequest): Promise<ShopAnswer> {
    this.#asked += 1
    const id = this.#asked
    const abort = () => this.#thread.postMessage({ id, abort: true })
    this.#thread.postMessage({ id, ...request })
    signal.addEventListener('abort', abort)
    const answer = await new Promise<ShopAnswer>((resolve) => this.#waiting.set(id, resolve))
    signal.removeEventListener('abort', abort)
    this.#waiting.delete(id)
    return answer
  }

  /** Nothing is asked any more. */
  async close(): Promise<void> {
    await this.#thread.terminate()
  }
}
