import { LANGUAGES } from '../languages.ts'
import { fold } from './places-like.ts'
import { CITY_CODES, cityName } from './places.ts'

/** Returns the codes of all cities of this name, in any of the languages. */
export function citiesCalled(name: string): string[] {
  const wanted = fold(name)
  return CITY_CODES.filter((code) => LANGUAGES.some((language) => fold(cityName(code, language)) === wanted))
}
