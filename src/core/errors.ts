import type { z } from 'zod'

/** Every expected refusal (rules 1.4). The API, the bot and the command line each map them to statuses or texts in one table. */
export const ERROR_CODES = [
  'malformed_json',
  'token_missing',
  'token_invalid',
  'user_not_found',
  'invalid_credentials',
  'insufficient_balance',
  'account_not_activated',
  'account_disabled',
  'agent_required',
  'not_direct_sub_user',
  'pool_not_public',
  'not_permitted',
  'scope_missing',
  'address_not_allowed',
  'route_not_found',
  'method_not_allowed',
  'misdirected_request',
  'sub_user_not_found',
  'order_not_found',
  'product_not_found',
  'instance_not_found',
  'sub_account_not_found',
  'join_link_not_found',
  'bot_not_found',
  'payout_not_found',
  'promo_code_not_found',
  'api_key_not_found',
  'webhook_not_found',
  'delivery_not_found',
  'username_taken',
  'promo_code_taken',
  'bot_taken',
  'too_many_bots',
  'promo_code_not_usable',
  'balance_below_zero',
  'out_of_stock',
  'price_changed',
  'order_processing',
  'invalid_state',
  'traffic_exhausted',
  'traffic_not_available',
  'idempotency_conflict',
  'payment_in_progress',
  'top_up_disabled',
  'resale_loop',
  'gateway_taken',
  'usage_out_of_order',
  'payload_too_large',
  'unsupported_media_type',
  'validation_error',
  'project_required',
  'project_not_allowed',
  'location_not_supported_for_product',
  'duration_not_supported',
  'invalid_cidr_blocks',
  'assigned_ip_unavailable',
  'amount_out_of_range',
  'rate_limited',
  'too_many_attempts',
  'too_many_pending_orders',
  'internal_error',
  'supplier_error',
  'unavailable',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

interface ErrorDetails {
  /** Facts for the caller, named as in the API; money in units of the currency. */
  readonly data?: Readonly<Record<string, unknown>>
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** A refusal that the caller can understand and act on. Anything else that is thrown is a bug. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(code, { cause: details.cause })
    this.code = code
    this.data = details.data
    this.retryAfter = details.retryAfter
  }
}

export type InputIssue = z.core.$ZodIssue

/** `validation_error`: what is wrong with which field; the API, bot or command line words it in the caller's language. */
export class InvalidInput extends ServiceError {
  readonly issues: readonly InputIssue[]

  constructor(issues: readonly InputIssue[]) {
    super('validation_error')
    this.issues = issues
  }

  /** Makes the refusal of one field that breaks a rule no schema can express. */
  static of(field: string, message: string): InvalidInput {
    return new InvalidInput([{ code: 'custom', path: [field], message, input: undefined }])
  }
}

/**
 * Parses input; all input from outside goes through here.
 *
 * @throws InvalidInput naming every field that does not fit
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: nameMissing })
  if (!result.success) throw new InvalidInput(result.error.issues)
  return result.data
}

/** Tells a missing value from one of the wrong type, which zod's issues do not. */
function nameMissing(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.input === undefined ? 'required' : undefined
}
