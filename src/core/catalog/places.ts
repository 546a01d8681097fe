import { Language } from '../../generated/prisma/client.ts'
import cities from './cities.json' with { type: 'json' }

export const LANGUAGES = Object.values(Language)
export type { Language }

const displayNames = { en: namesIn('en'), zh: namesIn('zh-Hans') }

/** Names as people use them (Hong Kong, not Hong Kong SAR China), but no abbreviations (US). */
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

/** Regions that Unicode has a code for and that are no countries of ISO 3166-1. */
const NO_COUNTRIES = new Set([
  'EU',
  'EZ',
  'UN',
  'XA',
  'XB',
  'ZZ',
  'QO',
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'IC',
  'TA',
])

/** Asking Intl takes microseconds, and a list shows hundreds of places. Only codes of countries get in. */
const countryNames = { en: new Map<string, string>(), zh: new Map<string, string>() }

/** Name of an ISO 3166-1 alpha-2 country; the code itself when there is no such country. */
export function countryName(code: string, language: Language): string {
  const known = countryNames[language].get(code)
  if (known !== undefined) return known
  const name = isCountryCode(code) ? displayNames[language].of(code) : undefined
  if (name !== undefined) countryNames[language].set(code, name)
  return name ?? code
}

/** Whether a two-letter upper-case code names a country (XX, EU and the like do not, nor do retired codes and other names: UK is GB). */
export function isCountryCode(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.has(code) || displayNames.en.of(code) === undefined)
    return false
  return new Intl.Locale('und', { region: code }).region === code
}

/** Whether customers see a city by its name, and not by its code. */
export function isNamedCity(code: string): boolean {
  return Object.hasOwn(cities, code)
}

/** Name of a city by its UN/LOCODE (country and three characters); the code itself when we have no name for it. */
export function cityName(code: string, language: Language): string {
  return (cities as Record<string, Record<Language, string>>)[code]?.[language] ?? code
}
