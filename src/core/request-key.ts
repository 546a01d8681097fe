import { z } from 'zod'

/**
 * What an account calls one of its requests, so that a repetition is known as one: the header `Idempotency-Key` (contract 4).
 * Unique per account and kind of request.
 */
export const RequestKey = z.string().min(1).max(64)
