import { z } from 'zod'

export const BlockNumber = z.int().positive()

/** Milliseconds, as far as a `Date` reaches. */
export const BlockTime = z
  .int()
  .positive()
  .max(8_640_000_000_000_000)
  .transform((ms) => new Date(ms))
