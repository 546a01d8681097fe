import { z } from 'zod'

/**
 * What an account calls one of its requests, so that a repetition is known as one: the header `Idempotency-Key` (rules 4.4).
 * Unique per account, whatever the request is.
 */
export const RequestKey = z.string().min(1).max(64)
