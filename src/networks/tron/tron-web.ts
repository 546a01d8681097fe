import { setMaxListeners } from 'node:events'
import type { TronWeb } from 'tronweb'
import type { Pace } from '../providers/pace.ts'
import { hiderOf } from '../providers/provider-fault.ts'
import { timeoutSignal } from '../providers/timeout-signal.ts'
import { checkedAnswer, faultOfError, wasReset } from './exchange-fault.ts'

/** Far above the largest valid answer: a page of 200 rows is 90 kB. */
const MAX_ANSWER_BYTES = 5_000_000

export interface TronNode {
  /** Without a slash at the end. */
  readonly url: string
  readonly apiKey: string | undefined
  /** The limit of a request and its whole answer, in milliseconds. */
  readonly timeoutMs: number
  /** Awaited before each request. */
  readonly pace: Pace
  /** Aborts running requests at the shutdown. */
  readonly closing: AbortSignal | undefined
}

/** The part of tronweb's HTTP client (axios) that is set here; tronweb does not export its types. */
interface HttpClient {
  readonly defaults: object
  readonly interceptors: { readonly request: { use(change: (request: object) => object): void } }
}

/**
 * Opens TronWeb over one provider. Each of its requests ends in a JSON object that is no error, or in a `ProviderFault`.
 *
 * TronWeb's own client follows redirects, uses `http_proxy` even for localhost, reads answers of any size and for any time, and takes
 * errors with status 200 for answers; its errors contain the API key. Given headers, TronWeb would also replace this client by one with
 * other limits: so the key is passed to the provider.
 */
export async function openTronWeb({ url, apiKey, timeoutMs, pace, closing }: TronNode): Promise<TronWeb> {
  // Imported only when it is needed: loading takes a third of a second and 40 MB.
  const { TronWeb, providers } = await import('tronweb')
  const hide = hiderOf(url, apiKey)
  // Each request adds a listener, and there may be many at a time.
  if (closing) setMaxListeners(0, closing)

  class StrictProvider extends providers.HttpProvider {
    override async request<Answer>(...request: Parameters<TronWeb['fullNode']['request']>): Promise<Answer> {
      const exchange = async () => {
        await pace(request[0])
        return super.request(...request)
      }
      const answer = await exchange()
        .catch((error: unknown) => (wasReset(error) ? exchange() : Promise.reject(error)))
        .catch((error: unknown) => Promise.reject(faultOfError(error, hide)))
      return checkedAnswer(answer, hide) as Answer
    }
  }

  const headers = apiKey === undefined ? {} : { 'TRON-PRO-API-KEY': apiKey }
  const provider = new StrictProvider(url, timeoutMs, '', '', headers)
  const client = provider.instance as unknown as HttpClient
  Object.assign(client.defaults, { proxy: false, maxRedirects: 0, maxContentLength: MAX_ANSWER_BYTES })
  client.interceptors.request.use((request) => ({ ...request, signal: timeoutSignal(timeoutMs, closing) }))
  return new TronWeb({ fullNode: provider, solidityNode: provider, eventServer: provider })
}
