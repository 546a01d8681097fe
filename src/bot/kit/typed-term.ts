import { halfWidth } from '../../core/half-width.ts'
import { TYPED_WORDS, typedWords } from './typed-words.ts'

const unit = (words: string) => new RegExp(`^(\\d{1,3})\\s*(?:${words})$`, 'iu')
const UNITS: readonly (readonly [RegExp, 'd' | 'm', number])[] = [
  [unit(typedWords('day')), 'd', 1],
  [unit(typedWords('week')), 'd', 7],
  [unit(typedWords('month')), 'm', 1],
  [unit(typedWords('year')), 'm', 12],
]
const TERMS = new Map(TYPED_WORDS.flatMap(({ terms }) => Object.entries(terms)))
const NUMERALS = new Map(TYPED_WORDS.flatMap(({ numerals }) => Object.entries(numerals)))
const NUMERAL = new RegExp(`^(?:${[...NUMERALS.keys()].join('|')})`)

/**
 * `3 months`, `7天`, `一年`, `полгода`: a term that is typed (rules 5.27).
 *
 * @param codes of the terms that there are, see `packTerm`
 * @returns its code; undefined for anything else
 */
export function typedTerm(text: string, codes: readonly string[]): string | undefined {
  const plain = halfWidth(text).trim().toLowerCase()
  const digits = TERMS.get(plain) ?? plain.replace(NUMERAL, (word) => NUMERALS.get(word) ?? word)
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
