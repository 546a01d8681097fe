import type { Queryable } from '../database/queries.ts'
import { cityName, countryName } from './places.ts'
import { LANGUAGES } from '../languages.ts'

/** Places that are or were in the stock, by their codes. */
export interface Places {
  readonly countries: readonly string[]
  readonly cities: readonly string[]
  /** Codes of country, state and city of each place. */
  readonly places: readonly (readonly [country: string, state: string, city: string])[]
}

/**
 * Finds places by a text (rules 5.13): those with exactly this code when there are any, so that `US` does not find Russia and
 * Austria; else those whose code begins with it, or whose name in one of the languages contains it.
 */
export async function placesLike(db: Queryable, text: string): Promise<Places> {
  const rows = await db.$kysely
    .selectFrom('locations')
    .select(['countryCode', 'state', 'cityCode'])
    .distinct()
    .orderBy('countryCode')
    .orderBy('state')
    .orderBy('cityCode')
    .execute()
  const known = rows.map(({ countryCode, state, cityCode }) => [countryCode, state, cityCode] as const)
  const wanted = fold(text)
  const exact = known.filter((codes) => codes.some((code) => fold(code) === wanted))
  const places = exact.length > 0 ? exact : known.filter((place) => isLike(place, wanted))
  // `countries` and `cities` match what an order asked for: an order for a country did not ask for each of its cities.
  const matches = (code: string, nameOf: typeof countryName) =>
    code !== '' &&
    (exact.length > 0
      ? fold(code) === wanted
      : [code, ...namesOf(code, nameOf)].some((name) => fold(name).includes(wanted)))
  const all = (index: 0 | 2) => [...new Set(places.map((place) => place[index]))]
  return {
    places,
    countries: all(0).filter((code) => matches(code, countryName)),
    cities: all(2).filter((code) => matches(code, cityName)),
  }
}

function isLike([country, state, city]: Places['places'][number], wanted: string): boolean {
  const names = [...namesOf(country, countryName), ...namesOf(city, cityName)]
  return (
    [country, state, city].some((code) => code !== '' && fold(code).startsWith(wanted)) ||
    names.some((name) => fold(name).includes(wanted))
  )
}

/** Folds a text for comparison: lower case, without accents. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}

/** Returns the names of a place in all languages. */
function namesOf(code: string, nameOf: typeof countryName): string[] {
  return LANGUAGES.map((language) => nameOf(code, language))
}
