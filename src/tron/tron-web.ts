import { setMaxListeners } from 'node:events'
import type { TronWeb } from 'tronweb'
import type { Pace } from './pace.ts'
import { checkedAnswer, faultOfError, type Hide, wasReset } from './provider-fault.ts'

/** Two hundred rows of the list are 90 kB. */
const MAX_ANSWER_BYTES = 5_000_000

export interface TronNode {
  /** Without a slash at the end. */
  readonly url: string
  readonly apiKey: string | undefined
  /** For a whole exchange, in milliseconds. */
  readonly timeoutMs: number
  /** Before each request. */
  readonly pace: Pace
  /** Ends what is being asked: nobody waits for it any more. */
  readonly closing: AbortSignal | undefined
}

/** What we set in tronweb's HTTP client (axios), whose types tronweb does not show. */
interface HttpClient {
  readonly defaults: object
  readonly interceptors: { readonly request: { use(change: (request: object) => object): void } }
}

/**
 * TronWeb over one provider whose every request ends in a JSON object that is no error, or in a `ProviderFault`.
 *
 * TronWeb's own client follows redirects, obeys `http_proxy` even for this machine, reads answers of any size, lets a slow one
 * drip for ever and takes errors with status 200 for answers; its errors carry the API key. Given headers, TronWeb would also replace
 * our client by one with other limits: so the key goes in by the provider.
 */
export async function openTronWeb({ url, apiKey, timeoutMs, pace, closing }: TronNode): Promise<TronWeb> {
  // Here and nowhere else: loading it takes a third of a second and 40 MB.
  const { TronWeb, providers } = await import('tronweb')
  const hide = hiderOf(url, apiKey)
  // Every request listens to it, and there may be many in a short time.
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
  client.interceptors.request.use((request) => ({ ...request, signal: end(timeoutMs, closing) }))
  return new TronWeb({ fullNode: provider, solidityNode: provider, eventServer: provider })
}

/** Comes after a time, or earlier. `AbortSignal.any` would keep a trace of every request at the signal that outlives them. */
function end(ms: number, earlier: AbortSignal | undefined): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    clearTimeout(timer)
    earlier?.removeEventListener('abort', abort)
    controller.abort()
  }
  const timer = setTimeout(abort, ms).unref()
  earlier?.addEventListener('abort', abort)
  if (earlier?.aborted) abort()
  return controller.signal
}

/** The key, and what the address may hold of secrets: a user, a password, a token in the path. */
function hiderOf(url: string, apiKey: string | undefined): Hide {
  const { username, password, pathname } = new URL(url)
  const secrets = [apiKey ?? '', username, password, ...pathname.split('/')].filter((text) => text.length > 3)
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
}
