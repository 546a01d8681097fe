import { z } from 'zod'
import type { Habit } from '../../../core/accounts/habits.ts'
import { EXTRACT_LIMITS, type ExtractionInput } from '../../../core/traffic/extraction-input.ts'
import { type ExtractionForm, LINE_FORMATS } from '../../actions/extraction-form.ts'

/** Name of the conversation of an extraction. */
export const EXTRACTING = 'extract'

/** State of the conversation: the form, and the value that the screen asks for; `asks` is undefined on the form itself. */
export interface Extracting {
  readonly form: ExtractionForm
  readonly asks?: 'country' | 'minutes' | 'quantity'
}

/** Default minutes for which a sticky proxy keeps its exit. */
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

/** Returns the form as the core takes it. */
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
