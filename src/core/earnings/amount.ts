import { z } from 'zod'
import { fromNumber } from '../money.ts'

/** An amount above 0 as a JSON number, in units of the currency. */
export const AmountOfEarnings = z
  .number()
  .refine((value) => value > 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
