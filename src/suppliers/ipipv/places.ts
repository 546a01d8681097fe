import { z } from 'zod'
import { cityCodeNamed } from '../../core/catalog/places.ts'
import { countryCodeOf } from './countries.ts'

/** A row of `city/list`, as far as it is used. */
export const City = z.object({ cityCode: z.string(), cityEnName: z.string().default('') })

/** English names of cities by the platform's codes, such as `USA001001`. */
export type CityNames = ReadonlyMap<string, string>

export interface Place {
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
}

const OUR_CITY_CODE = /^[A-Z]{2}[A-Z0-9]{3}$/

/**
 * Translates a place of the platform into the codes of the core. Its own are nine characters for a city (`USA001001`) and six for a state
 * (`USA001`), where zeros mean none in particular; a city is found by its English name, or keeps a code that is of the core's form.
 *
 * @returns undefined where there is no such country
 */
export function placeOfCodes(
  codes: { readonly countryCode: string; readonly stateCode: string; readonly cityCode: string },
  names: CityNames,
): Place | undefined {
  const countryCode = countryCodeOf(codes.countryCode)
  if (countryCode === undefined) return undefined
  const state = codes.stateCode.trim().toUpperCase()
  const isState = /^[A-Z0-9-]{1,10}$/.test(state) && !/^(?:[A-Z]{3})?0+$/.test(state)
  return {
    countryCode,
    state: isState ? state : '',
    cityCode: cityCodeOf(countryCode, codes.cityCode, names),
  }
}

function cityCodeOf(countryCode: string, code: string, names: CityNames): string {
  if (OUR_CITY_CODE.test(code)) return code
  return cityCodeNamed(countryCode, names.get(code) ?? '') ?? ''
}
