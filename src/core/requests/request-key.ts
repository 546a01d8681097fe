import { z } from 'zod'

/**
 * The name that an account gives to one of its requests, so that a repetition is recognized: the header `Idempotency-Key` (rules
 * 4.4). Unique per account across all kinds of requests.
 */
export const RequestKey = z.string().min(1).max(64)
