import type { ErrorCode } from '../core/errors.ts'
import type { Texts } from './locales/index.ts'

/** What the chat says to a refusal of the core; the table is in the locales. */
export function errorText(texts: Texts, code: ErrorCode): string {
  const { errors } = texts
  return code in errors ? errors[code as keyof typeof errors] : errors.other
}
