import { fold } from './places-like.ts'
import { CITY_CODES, cityName } from './places.ts'

/** Returns the codes of all cities of this name, in English or Chinese. */
export function citiesCalled(name: string): string[] {
  const wanted = fold(name)
  return CITY_CODES.filter((code) =>
    [cityName(code, 'en'), cityName(code, 'zh')].some((each) => fold(each) === wanted),
  )
}
