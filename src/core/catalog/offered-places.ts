import { InvalidInput } from '../errors.ts'
import { CITY_CODES, englishCityName, isNamedCity } from './places.ts'

/** Where exits of a dynamic product are (rules 3.9); an empty list: everywhere. */
interface OfferedPlaces {
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[]
  /** Country and three characters, as UN/LOCODE has them. */
  readonly cities: readonly string[]
}

/** Whether the cities lie in the countries, where both are listed. */
export function citiesInCountries({ countries, cities }: OfferedPlaces): boolean {
  return countries.length === 0 || cities.every((city) => countries.includes(city.slice(0, 2)))
}

/** Whether a product has exits in a country. */
export function isOfferedCountry({ countries }: Pick<OfferedPlaces, 'countries'>, country: string): boolean {
  return countries.length === 0 || countries.includes(country)
}

/**
 * Refuses a place that a product does not offer; a city may be a code or an English name.
 *
 * @throws validation_error
 */
export function refuseOtherPlaces(
  { countries, cities }: OfferedPlaces,
  wanted: { readonly countryCode?: string | null | undefined; readonly cityCode?: string | null | undefined },
): void {
  const { countryCode, cityCode } = wanted
  const fits = (country: string) => isOfferedCountry({ countries }, country)
  if (countryCode && !fits(countryCode)) throw InvalidInput.of('countryCode', 'not_offered')
  if (!cityCode) return
  const code = cityCode.toUpperCase()
  const meant = (city: string) => city === code || plain(englishCityName(city)) === plain(cityCode)
  const offered = cities.length > 0 ? cities.some(meant) : !isNamedCity(code) || fits(code.slice(0, 2))
  if (!offered) throw InvalidInput.of('cityCode', 'not_offered')
}

/** Reduces a name to lower-case ASCII letters and digits, so that spellings with other case, accents or punctuation are equal. */
export function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

/** Returns the word for a city, given by its code or English name, in usernames at the gateway (rules 6.7). */
export function wordOfCity(city: string): string {
  return plain(englishCityName(city.toUpperCase()))
}

/**
 * Returns the code of a named city, by its country and the word of {@link wordOfCity}.
 *
 * @param country ISO 3166-1 alpha-2, upper case
 * @returns undefined when no city of this name is known
 */
export function cityOfWord(country: string, word: string): string | undefined {
  return CITY_CODES.find((code) => code.startsWith(country) && wordOfCity(code) === word)
}
