import { createHash, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type ConnectionAccess, type FaultKind, SupplierFault } from '../../core/supply/driver.ts'
import { supplierAddress } from '../../core/supply/supplier-url.ts'
import { type HttpAnswer, postJson } from '../post-json.ts'
import { envelopeOf } from './envelope.ts'

/** The part of the API that is used; each path is `/api/open/app/<name>/v2`. */
export type Method =
  | 'info'
  | 'product/query'
  | 'city/list'
  | 'project/list'
  | 'order'
  | 'order/list'
  | 'instance'
  | 'instance/list'
  | 'instance/open'
  | 'instance/renew'
  | 'instance/release'
  | 'instance/reset/password'

const SUCCESS = 200
/** No refusal of the platform is documented; these codes and statuses mean the same everywhere. */
const NO_ACCESS = new Set([401, 403])
const NO_SUCH_SERVICE = new Set([301, 302, 303, 307, 308, 404, 405])

/** An answer of the platform whose code is not 200. What such codes mean is not documented. */
export class CodedRefusal extends SupplierFault {
  readonly code: number
  readonly text: string

  constructor(kind: FaultKind, method: Method, code: number, text: string) {
    super(kind, `${method}: code ${code}${text && `: ${JSON.stringify(text)}`}`)
    this.code = code
    this.text = text
  }
}

/** @returns the decrypted data; undefined when the answer holds none */
export type Ask = (method: Method, parameters: object, signal: AbortSignal) => Promise<unknown>

/** Three ways to call a method, which differ in what a failure means. All throw SupplierFault. */
export interface Api {
  /** For what no order depends on: `misconfigured` where key, secret or address are refused, otherwise `not_sent` or `unknown`. */
  readonly read: Ask
  /** Looks up an order: `not_sent` or `unknown`. Nothing but 200 with data that can be read is an answer. */
  readonly look: Ask
  /**
   * Sends an order: `not_sent`, `unknown`, or `declined` where the platform refuses it by a code of its own. After any answer but 200
   * it may have been carried out. The same parameters have the same request id.
   */
  readonly act: Ask
}

interface Call {
  readonly method: Method
  readonly params: string
  readonly reqId: string
  readonly signal: AbortSignal
  /** Kind of the fault when the platform refuses key, secret or address. */
  readonly refused: FaultKind
  /** Kind of the fault for any other code. */
  readonly coded: FaultKind
}

/** @throws SupplierFault `misconfigured` */
export function apiOf({ url, key, secret }: ConnectionAccess): Api {
  const address = supplierAddress(url)
  const envelope = envelopeOf(secret)
  if (key === '') throw new SupplierFault('misconfigured', 'the key is empty')

  /** Removes key and secret from a text of the platform, and makes one line of it. */
  const harmless = (text: string) =>
    text.replaceAll(secret, '[secret]').replaceAll(key, '[key]').replaceAll(/\s+/g, ' ').trim().slice(0, 200)

  async function call({ method, params, reqId, signal, refused, coded }: Call): Promise<unknown> {
    const body = { reqId, version: 'v2', encrypt: 'AES', appKey: key, params }
    const answer = await postJson(`${address}/api/open/app/${method}/v2`, body, signal)
    const { code, msg, data } = envelopeIn(answer, method, refused)
    if (code !== SUCCESS)
      throw new CodedRefusal(NO_ACCESS.has(code) ? refused : coded, method, code, harmless(msg))
    if (data === '') return undefined
    try {
      return envelope.open(data) ?? undefined
    } catch {
      throw new SupplierFault(refused, `${method}: the data cannot be decrypted; is the secret right?`)
    }
  }

  const asked = (method: Method, parameters: object, signal: AbortSignal, refused: FaultKind) =>
    call({
      method,
      params: envelope.seal(parameters),
      reqId: randomUUID().replaceAll('-', ''),
      signal,
      refused,
      coded: 'unknown',
    })

  return {
    read: (method, parameters, signal) => asked(method, parameters, signal, 'misconfigured'),
    look: (method, parameters, signal) => asked(method, parameters, signal, 'unknown'),
    act(method, parameters, signal) {
      const params = envelope.seal(parameters)
      const reqId = createHash('sha256').update(`${method} ${params}`).digest('hex').slice(0, 32)
      return call({ method, params, reqId, signal, refused: 'unknown', coded: 'declined' })
    },
  }
}

interface SealedAnswer {
  readonly code: number
  readonly msg: string
  /** Encrypted data; empty: none. */
  readonly data: string
}

/** @throws SupplierFault where the answer is none of the platform's */
function envelopeIn(
  { status, text, retryAfterMs }: HttpAnswer,
  method: Method,
  refused: FaultKind,
): SealedAnswer {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (status !== 200) {
    const kind = NO_ACCESS.has(status) || NO_SUCH_SERVICE.has(status) ? refused : 'unknown'
    throw new SupplierFault(kind, `${method}: HTTP ${status}`, wait)
  }
  const content = parsedJson(text)
  const { code, msg, data } = (content ?? {}) as Record<string, unknown>
  const isEnvelope =
    typeof code === 'number' && (typeof data === 'string' || data === undefined || data === null)
  if (!isEnvelope) throw new SupplierFault('unknown', `${method}: the answer cannot be read`, wait)
  return { code, msg: typeof msg === 'string' ? msg : '', data: data ?? '' }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Returns data of an answer in the shape that the driver needs.
 *
 * @throws SupplierFault `unknown`; it names the fields, not their values
 */
export function shaped<Schema extends z.ZodType>(
  schema: Schema,
  method: Method,
  data: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  const { path, code } = parsed.error.issues[0] ?? { path: [], code: 'invalid' }
  throw new SupplierFault(
    'unknown',
    `${method}: the data has not the expected shape (${path.join('.')}: ${code})`,
  )
}
