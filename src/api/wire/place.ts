import { z } from 'zod'
import { cityName, countryName } from '../../core/catalog/places.ts'
import { LANGUAGES } from '../../core/languages.ts'
import type { Language } from '../language.ts'

/** Country and city of catalogue items, as product items and IP range items spell them (rules 3.3, 3.8). */
export const placeFields = {
  countryCode: z.string().meta({ description: 'ISO 3166-1 alpha-2; empty for a dynamic product' }),
  countryName: z.string().meta({ description: 'In the language `nameLanguage`' }),
  countryNameEn: z.string(),
  countryNameZh: z.string(),
  cityCode: z.string().meta({ description: 'UN/LOCODE; empty where the product is not bound to a city' }),
  cityName: z.string().meta({ description: 'In the language `nameLanguage`' }),
  cityNameEn: z.string(),
  cityNameZh: z.string(),
  nameLanguage: z.enum(LANGUAGES),
}

export function placeNames(countryCode: string, cityCode: string, language: Language) {
  const country = { en: countryName(countryCode, 'en'), zh: countryName(countryCode, 'zh') }
  const city = { en: cityName(cityCode, 'en'), zh: cityName(cityCode, 'zh') }
  return {
    countryCode,
    countryName: country[language],
    countryNameEn: country.en,
    countryNameZh: country.zh,
    cityCode,
    cityName: city[language],
    cityNameEn: city.en,
    cityNameZh: city.zh,
    nameLanguage: language,
  }
}
