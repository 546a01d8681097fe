import cities from './cities.json' with { type: 'json' }

export type Language = 'en' | 'zh'

const countryNames = {
  en: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  zh: new Intl.DisplayNames('zh-Hans', { type: 'region', fallback: 'none' }),
}

/** Name of an ISO 3166-1 alpha-2 country; the code itself when there is no such country. */
export function countryName(code: string, language: Language): string {
  return (isCountryCode(code) && countryNames[language].of(code)) || code
}

/** Whether a two-letter upper-case code names a country (XX, EU and the like do not). */
export function isCountryCode(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && countryNames.en.of(code) !== undefined && !['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'QO'].includes(code)
}

/** Name of a city by its UN/LOCODE (country and three characters); the code itself when we have no name for it. */
export function cityName(code: string, language: Language): string {
  return (cities as Record<string, Record<Language, string>>)[code]?.[language] ?? code
}
