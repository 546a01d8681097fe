import { halfWidth } from '../../core/half-width.ts'

const UNITS: readonly (readonly [RegExp, 'd' | 'm', number])[] = [
  [/^(\d{1,3})\s*(?:days?|d|天|日|день|дня|дней|дн\.?)$/i, 'd', 1],
  [/^(\d{1,3})\s*(?:weeks?|w|周|星期|недел[яиью])$/i, 'd', 7],
  [/^(\d{1,3})\s*(?:months?|mon|m|个?月|месяц(?:а|ев)?|мес\.?)$/i, 'm', 1],
  [/^(\d{1,3})\s*(?:years?|y|年|год|года|лет)$/i, 'm', 12],
]
const NUMERALS: Readonly<Record<string, string>> = { 一: '1', 两: '2', 三: '3', 六: '6', 半年: '6个月' }

/**
 * `3 months`, `7天`, `一年`: a term that is typed (rules 5.27).
 *
 * @param codes of the terms that there are, see `packTerm`
 * @returns its code; undefined for anything else
 */
export function typedTerm(text: string, codes: readonly string[]): string | undefined {
  const digits = halfWidth(text)
    .trim()
    .replace(/^(半年|[一两三六])/, (word) => NUMERALS[word] ?? word)
  for (const [form, unit, times] of UNITS) {
    const number = form.exec(digits)?.[1]
    if (number === undefined) continue
    const wanted = Number(number) * times
    // 30 days count as one month (rules 5.1).
    const code = unit === 'd' && wanted % 30 === 0 ? `m${wanted / 30}` : `${unit}${wanted}`
    return codes.find((each) => each === code)
  }
  return undefined
}
