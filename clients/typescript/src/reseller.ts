import { authenticated } from './authentication.ts'
import { createClient } from './generated/client/index.ts'
import { ResellerApi } from './generated/sdk.gen.ts'
import type { Refusal } from './generated/refusals.gen.ts'
import type { StaticOrder, StaticOrderRenewal } from './generated/types.gen.ts'
import { persistentFetch } from './persistent-fetch.ts'
import { ResellerError } from './refusal.ts'
import { sleep } from './sleep.ts'

export interface ResellerOptions {
  /** Where the service is, such as `https://shop.example.com`, with or without the path of its API. */
  readonly url: string
  /** An API key (`prk_…`), or an access token. */
  readonly key?: string
  /** A log-in, where there is no key. */
  readonly username?: string
  readonly password?: string
  /** Of texts in answers; English unless said otherwise. */
  readonly language?: 'en' | 'zh' | 'ru'
  /** How often a request is sent at most; 5 unless said otherwise. */
  readonly attempts?: number
  /** Longest pause before another attempt, in seconds; 60 unless said otherwise. */
  readonly longestPause?: number
  /** Sends the requests; that of the platform unless said otherwise. */
  readonly fetch?: typeof fetch
}

export interface WaitOptions {
  /** How long to wait, in seconds; 600 unless said otherwise. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** Longest pause between two looks at an order, in seconds. */
const LONGEST_LOOK = 10

/**
 * The interface of a service: a method for each operation of its API document, which answers what the service answers.
 *
 * - A refusal is thrown as {@link ResellerError}.
 * - What the service is too busy for, or what does not reach it, is repeated; each POST has an `Idempotency-Key`, so that nothing is
 *   bought twice. Name one of your own (`headers: { 'Idempotency-Key': … }`) where a request has to survive a restart of your program.
 */
export class Reseller extends ResellerApi {
  /**
   * Waits until an order of static proxies is delivered, and answers it with its proxies; `partial` and `failed` are outcomes, too.
   *
   * @param orderNo number of the order, or the one that you gave it
   * @throws `TimeoutError` (a DOMException) when it takes too long
   */
  async waitForStaticOrder(orderNo: string, options: WaitOptions = {}): Promise<StaticOrder> {
    return until(options, async (signal) => {
      const { data } = await this.listStaticOrders({ query: { orderNo }, signal })
      const order = data.items[0]
      return order?.status === 'processing' ? undefined : order
    })
  }

  /**
   * Waits until a renewal is done, and answers what became of each proxy.
   *
   * @throws `TimeoutError` (a DOMException) when it takes too long
   */
  async waitForRenewal(renewOrderNo: string, options: WaitOptions = {}): Promise<StaticOrderRenewal> {
    return until(options, async (signal) => {
      const { data } = await this.getStaticOrderRenewal({ path: { renew_order_no: renewOrderNo }, signal })
      return data.status === 'processing' ? undefined : data
    })
  }
}

/** @throws `TypeError` when no credentials are named, or two kinds */
export function createReseller({
  url,
  key,
  username,
  password,
  language = 'en',
  attempts = 5,
  longestPause = 60,
  fetch = globalThis.fetch,
}: ResellerOptions): Reseller {
  const login = username !== undefined && password !== undefined ? { username, password } : undefined
  const credentials = key ?? login
  if (credentials === undefined || (key !== undefined && login !== undefined))
    throw new TypeError('name either a key, or username and password')
  // The variant that has everything; every service serves it.
  const baseUrl = `${url.replace(/\/+$/, '').replace(/\/(?:[ab]\/)?api$/, '')}/b/api`
  const send = authenticated(persistentFetch({ fetch, attempts, longestPause }), baseUrl, credentials)
  const client = createClient({
    baseUrl,
    throwOnError: true,
    headers: { 'accept-language': language },
    fetch: (input, init) => send(input instanceof Request ? input : new Request(input, init)),
  })
  client.interceptors.error.use((error, response: Response | undefined) =>
    response
      ? new ResellerError(response.status, typeof error === 'object' ? (error as Partial<Refusal>) : {})
      : error,
  )
  return new Reseller({ client })
}

/** Asks again, with growing pauses, until there is an answer. */
async function until<T>(
  { timeout = 600, signal }: WaitOptions,
  look: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeout * 1000)
  const either = signal ? AbortSignal.any([signal, limit]) : limit
  for (let pause = 0.5; ; pause = Math.min(pause * 1.5, LONGEST_LOOK)) {
    const found = await look(either)
    if (found !== undefined) return found
    await sleep(pause * 1000, either)
  }
}
