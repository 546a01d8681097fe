import { z } from 'zod'

/** Time since which changes are wanted, in any time zone (rules 1.19); converted to UTC, as times are stored. */
export const UpdatedSince = z.iso
  .datetime({ offset: true, error: 'not_a_time' })
  .transform((text) => new Date(text).toISOString())
