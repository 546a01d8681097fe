import { type Hide, ProviderFault, quoted } from '../providers/provider-fault.ts'

/** TronGrid gives the seconds only in the text: there is no `Retry-After`. */
const SUSPENDED = /suspended for (\d+) ?s/
const NODE_IS_BUSY = /lack of computing resources/
const USUAL_SUSPENSION_S = 30
const LONGEST_SUSPENSION_S = 600

/** An error of tronweb's HTTP client (axios). Its other fields hold the request with the API key: never pass them on. */
interface FailedExchange {
  readonly code?: string
  readonly response?: { readonly status: number; readonly data: unknown }
}

/** Whether the server had closed a kept-alive connection, as happens when it restarts. */
export function wasReset(error: unknown): boolean {
  const { code, response } = error as FailedExchange
  return code === 'ECONNRESET' && response === undefined
}

/** Returns the fault for an error of the HTTP client: no connection, or an error status. */
export function faultOfError(error: unknown, hide: Hide): ProviderFault {
  const { code = 'unknown error', response } = error as FailedExchange
  if (response && response.status >= 300) return faultOfStatus(response.status, response.data, hide)
  if (code === 'ERR_CANCELED') return new ProviderFault('unreachable', 'no whole answer in time')
  // The client has no code of its own for an answer that is too large.
  if (code === 'ERR_BAD_RESPONSE' && !response) {
    return new ProviderFault('bad_answer', 'the answer is too large')
  }
  return new ProviderFault('unreachable', `no answer: ${hide(code)}`)
}

function faultOfStatus(status: number, body: unknown, hide: Hide): ProviderFault {
  const text = errorText(body)
  const message = `HTTP ${status}${quoted(text, hide)}`
  // 403 means too many requests, or an unknown key.
  const keyIsBad = status === 401 || (status === 403 && /api ?key/i.test(text))
  if (keyIsBad) return new ProviderFault('bad_key', message)
  if (status === 429 || status === 403 || SUSPENDED.test(text)) return suspension(message, text)
  return new ProviderFault(status >= 500 ? 'unreachable' : 'bad_answer', message)
}

/**
 * Checks an answer with a success status: nodes and gateways send errors, web pages and empty bodies with status 200, and truncated
 * JSON arrives as a string.
 *
 * @throws ProviderFault
 */
export function checkedAnswer(answer: unknown, hide: Hide): object {
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer)
  const refused =
    isObject && ('Error' in answer || 'error' in answer || ('success' in answer && answer.success === false))
  if (isObject && !refused) return answer
  const text = errorText(answer)
  const message = `${isObject ? 'an error' : 'no JSON object'} with HTTP 200${quoted(text, hide)}`
  if (SUSPENDED.test(text) || NODE_IS_BUSY.test(text)) throw suspension(message, text)
  throw new ProviderFault('bad_answer', message)
}

function suspension(message: string, text: string): ProviderFault {
  const seconds = Number(SUSPENDED.exec(text)?.[1] ?? USUAL_SUSPENSION_S)
  const bounded = Math.min(Math.max(seconds, 1), LONGEST_SUSPENSION_S)
  return new ProviderFault('suspended', message, bounded * 1000)
}

function errorText(body: unknown): string {
  if (typeof body === 'string') return body
  const { Error, error } = (body ?? {}) as { Error?: unknown; error?: unknown }
  const text = Error ?? error
  return typeof text === 'string' ? text : ''
}
