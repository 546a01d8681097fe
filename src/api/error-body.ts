import { cityName, countryName } from '../core/catalog/places.ts'
import { InvalidInput, type ServiceError } from '../core/errors.ts'
import { ERROR_STATUS } from './errors.ts'
import type { Language } from './language.ts'
import { fieldError } from './field-errors.ts'
import { TEXTS } from './texts/index.ts'

/**
 * Returns the body of a refusal (rules 1.3): what clients get, and what the API documents show as its example.
 *
 * @param requestId the one of the header `X-Request-Id`
 */
export function errorBody(error: ServiceError, language: Language, requestId: string) {
  const message = TEXTS[language].errors[error.code]
  return {
    code: ERROR_STATUS[error.code],
    error: error.code,
    message,
    msg: message,
    data: dataOf(error, language),
    request_id: requestId,
  }
}

function dataOf(error: ServiceError, language: Language): object | null {
  if (error instanceof InvalidInput)
    return { errors: error.issues.map((issue) => fieldError(issue, language)) }
  if (error.code === 'location_not_supported_for_product') return withPlaceNames(error.data, language)
  return error.data ?? null
}

interface SupportedRegion {
  readonly countryCode: string
  readonly cityCode: string
  readonly stock: number
}

/** Adds the names of places, which the core knows by code only (rules 5.3). */
function withPlaceNames(data: ServiceError['data'], language: Language): object {
  const regions = (data?.supported_regions ?? []) as readonly SupportedRegion[]
  return {
    ...data,
    supported_regions: regions.map(({ countryCode, cityCode, stock }) => ({
      countryCode,
      countryName: countryName(countryCode, language),
      cityCode,
      cityName: cityName(cityCode, language),
      stock,
    })),
  }
}
