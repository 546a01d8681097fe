import { type Language, LANGUAGE_FACTS, ofEachLanguage } from '../languages.ts'
import { type Translations, translationIn } from '../translations.ts'
import cities from './cities.json' with { type: 'json' }
import { isCountryCode } from './country-code.ts'

const displayNames = ofEachLanguage((language) => namesIn(LANGUAGE_FACTS[language].locale))

/** Makes the look-up of names as people use them (Hong Kong, not Hong Kong SAR China), but no abbreviations (US). */
function namesIn(locale: string) {
  const names = (style: 'short' | 'long') =>
    new Intl.DisplayNames(locale, { type: 'region', fallback: 'none', style })
  const [short, long] = [names('short'), names('long')]
  return {
    of: (code: string) => {
      const name = short.of(code)
      return name !== undefined && /^[A-Z]+$/.test(name) ? long.of(code) : name
    },
  }
}

/** Cache: a look-up in Intl takes microseconds, and a list shows hundreds of places. Holds country codes only, so its size is bounded. */
const countryNames = ofEachLanguage(() => new Map<string, string>())

/** Returns the name of an ISO 3166-1 alpha-2 country; the code itself when there is no such country. */
export function countryName(code: string, language: Language): string {
  const known = countryNames[language].get(code)
  if (known !== undefined) return known
  const name = isCountryCode(code) ? displayNames[language].of(code) : undefined
  if (name !== undefined) countryNames[language].set(code, name)
  return name ?? code
}

/** Cities with a name, by their UN/LOCODE. */
export const CITY_CODES: readonly string[] = Object.keys(cities)

/** Whether there is a name for a city; otherwise customers see its code. */
export function isNamedCity(code: string): boolean {
  return Object.hasOwn(cities, code)
}

/** Returns the name of a city by its UN/LOCODE (country and three characters); the code itself when the city has no name here. */
export function cityName(code: string, language: Language): string {
  const names = (cities as Record<string, Translations>)[code]
  return names ? translationIn(names, language) : code
}

/** Codes by country and lower-case English name. */
let codesByName: ReadonlyMap<string, string> | undefined

/** Returns the code of a named city, by its country and English name; undefined when there is none. */
export function cityCodeNamed(countryCode: string, englishName: string): string | undefined {
  codesByName ??= new Map(
    Object.entries(cities).map(([code, { en }]) => [`${code.slice(0, 2)} ${en.toLowerCase()}`, code]),
  )
  return codesByName.get(`${countryCode} ${englishName.trim().toLowerCase()}`)
}
