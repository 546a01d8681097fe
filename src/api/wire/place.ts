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
  return {
    countryCode,
    countryName: countryName(countryCode, language),
    countryNameEn: countryName(countryCode, 'en'),
    countryNameZh: countryName(countryCode, 'zh'),
    cityCode,
    cityName: cityName(cityCode, language),
    cityNameEn: cityName(cityCode, 'en'),
    cityNameZh: cityName(cityCode, 'zh'),
    nameLanguage: language,
  }
}
