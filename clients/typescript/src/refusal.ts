import type { Refusal } from './generated/refusals.gen.ts'

/** The stable names of errors, such as `out_of_stock`. */
export type RefusalName = Refusal['error']

/** What the service refused. Network errors stay what `fetch` throws. */
export class ResellerError<Name extends RefusalName = RefusalName> extends Error {
  /** HTTP status. */
  readonly status: number
  /** Stable name; does not change with the language. */
  readonly error: Name
  /** Facts about the refusal, such as how many proxies are available. */
  readonly data: Extract<Refusal, { error: Name }>['data']
  /** By which the operator finds the request in the log. */
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<Extract<Refusal, { error: Name }>>) {
    super(body.message ?? `the service answered ${status}`)
    this.name = 'ResellerError'
    this.status = status
    // What a proxy on the way answers has no name.
    this.error = body.error ?? ('unavailable' as Name)
    this.data = body.data as never
    this.requestId = body.request_id
  }

  /** Of an answer that is not a success. */
  static async of(response: Response): Promise<ResellerError> {
    const body = (await response.json().catch(() => ({}))) as Partial<Refusal>
    return new ResellerError(response.status, body)
  }
}

/** Whether it is this refusal of the service; then `data` has its type. */
export function isRefusal<Name extends RefusalName>(
  error: unknown,
  name: Name,
): error is ResellerError<Name> {
  return error instanceof ResellerError && error.error === name
}
