import { ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import { SupplierFault } from '../../core/supply/driver.ts'
import type { RawAnswer } from './exchange.ts'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

/** What the service answered: data, or a refusal of its table, given before anything was done. */
export type Answer = { readonly data: unknown } | { readonly refusal: Refusal }

/** Refusals that concern the account or the address, whatever is asked for. */
const MISCONFIGURED: readonly ErrorCode[] = [
  'account_disabled',
  'account_not_activated',
  'agent_required',
  'not_direct_sub_user',
  'misdirected_request',
]
const LONGEST_MESSAGE = 200

/**
 * Reads the envelope.
 *
 * @param hide removes secrets from what the service says
 * @throws SupplierFault for all that is neither data nor a refusal
 */
export function readAnswer(raw: RawAnswer, hide: (text: string) => string): Answer {
  const { status, headers, text } = raw
  const { code, error, message, msg, data } = envelopeOf(text)
  if (status >= 200 && status < 300 && code === 0) return { data }
  const said = hide([message, msg].find((one) => typeof one === 'string') ?? '').slice(0, LONGEST_MESSAGE)
  const shown = `HTTP ${status}${typeof error === 'string' ? ` ${hide(error)}` : ''}${said && `: ${said}`}`
  const retryAfterMs = retryAfter(headers['retry-after'])
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (status === 429) throw new SupplierFault('not_sent', shown, wait)
  if (status === 401 || status === 403) throw new SupplierFault('misconfigured', shown)
  const refused = ERROR_CODES.find((one) => one === error)
  if (refused === undefined || status < 400 || status >= 500) throw new SupplierFault('unknown', shown, wait)
  if (MISCONFIGURED.includes(refused)) throw new SupplierFault('misconfigured', shown)
  // The order is there, and busy with something else: later it may be possible.
  if (refused === 'order_processing') throw new SupplierFault('not_sent', shown, wait)
  // The number was used for something else, which may be the same request in other words.
  if (refused === 'idempotency_conflict') throw new SupplierFault('unknown', shown)
  return { refusal: { code: refused, message: shown } }
}

/**
 * Returns the data of an answer that should not be a refusal, such as that of a list.
 *
 * @throws SupplierFault `unknown` for a refusal
 */
export function dataOf(answer: Answer): unknown {
  if ('data' in answer) return answer.data
  throw new SupplierFault('unknown', answer.refusal.message)
}

/** Returns the fields of the envelope; none when the text is no JSON object. */
export function envelopeOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? { ...answer } : {}
  } catch {
    return {}
  }
}

/** Returns the milliseconds of a `Retry-After`, which has seconds or a date. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
