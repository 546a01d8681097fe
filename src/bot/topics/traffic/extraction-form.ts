import { z } from 'zod'
import type { Habit } from '../../../core/accounts/habits.ts'
import { EXTRACT_LIMITS, type ExtractionInput } from '../../../core/traffic/extraction-input.ts'
import { type ExtractionForm, LINE_FORMATS } from '../../actions/extraction-form.ts'

/** The conversation of an extraction. */
export const EXTRACTING = 'extract'

/** What it knows of the screen: the form, and what is being asked there; undefined on the form itself. */
export interface Extracting {
  readonly form: ExtractionForm
  readonly asks?: 'country' | 'minutes' | 'quantity'
}

/** For how long a proxy keeps its exit, unless somebody says otherwise. */
export const STICKY_MINUTES = 10

/** What is remembered of an extraction: the next one of the product begins with it (rules 5.26). */
const Remembered = z.object({
  countryCode: z.string(),
  minutes: z.int().min(0).max(EXTRACT_LIMITS.minutes),
  quantity: z.int().min(1).max(EXTRACT_LIMITS.quantity),
  protocol: z.enum(['http', 'socks5']),
  format: z.enum(['c', 'a', 'u', 'v']),
})

/** The form of an extraction as the product had it the last time; undefined when there was none. */
export function rememberedForm(
  productId: number,
  productNo: string,
  habits: readonly Habit[],
): ExtractionForm | undefined {
  const known = habits.find((habit) => habit.productNo === productNo)
  const last = Remembered.safeParse(known?.choice).data
  return last && { productId, ...last }
}

/** What the core is asked for. */
export function extractionInput(form: ExtractionForm, productNo: string): ExtractionInput {
  const { countryCode, minutes, quantity, protocol, format } = form
  return {
    productNo,
    ...(countryCode === '' ? {} : { countryCode }),
    extractConfig: {
      quantity,
      protocol,
      sticky: minutes > 0,
      ...(minutes > 0 ? { validTime: minutes } : {}),
      returnType: 'txt',
      delimiter: 4,
      format: LINE_FORMATS[format],
    },
  }
}
