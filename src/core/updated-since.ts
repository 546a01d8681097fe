import { z } from 'zod'

/** From when on changes are wanted, in any time zone (rules 1.19); in UTC, as times are stored, afterwards. */
export const UpdatedSince = z.iso
  .datetime({ offset: true, error: 'not_a_time' })
  .transform((text) => new Date(text).toISOString())
