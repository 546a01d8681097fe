import { isCountryCode } from './country-code.ts'
import { LANGUAGES } from '../languages.ts'
import { countryName } from './places.ts'
import { fold } from './places-like.ts'

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
let known: readonly string[] | undefined

/**
 * Finds countries by a text: the one with exactly this code or name, else all whose name in one of the languages contains it, those with
 * short names first: 美 means the United States before American Samoa.
 *
 * @returns ISO 3166-1 alpha-2 codes
 */
export function countriesLike(text: string): string[] {
  known ??= LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountryCode)
  const wanted = fold(text.trim())
  if (wanted === '') return []
  const names = (code: string) => LANGUAGES.map((language) => fold(countryName(code, language)))
  const exact = known.filter((code) => fold(code) === wanted || names(code).includes(wanted))
  if (exact.length > 0) return exact
  const length = (code: string) =>
    Math.min(
      ...names(code)
        .filter((name) => name.includes(wanted))
        .map((name) => name.length),
    )
  return known.filter((code) => length(code) < Infinity).toSorted((a, b) => length(a) - length(b))
}
