import { z } from 'zod'
import { cityName, countryName } from '../../core/catalog/places.ts'
import { LANGUAGES, ofEachLanguage } from '../../core/languages.ts'
import { fieldsByLanguage, TranslationsRecord } from '../../core/translations.ts'
import type { Language } from '../language.ts'

const ofEachText = ofEachLanguage(() => z.string())

/** Country and city of catalogue items, as product items and IP range items spell them (rules 3.3, 3.8). */
export const placeFields = {
  countryCode: z.string().meta({ description: 'ISO 3166-1 alpha-2; empty for a dynamic product' }),
  countryName: z.string().meta({ description: 'In the language `nameLanguage`' }),
  ...fieldsByLanguage('countryName', ofEachText),
  countryNames: TranslationsRecord,
  cityCode: z.string().meta({ description: 'UN/LOCODE; empty where the product is not bound to a city' }),
  cityName: z.string().meta({ description: 'In the language `nameLanguage`' }),
  ...fieldsByLanguage('cityName', ofEachText),
  cityNames: TranslationsRecord,
  nameLanguage: z.enum(LANGUAGES),
}

export function placeNames(countryCode: string, cityCode: string, language: Language) {
  const countryNames = ofEachLanguage((each) => countryName(countryCode, each))
  const cityNames = ofEachLanguage((each) => cityName(cityCode, each))
  return {
    countryCode,
    countryName: countryNames[language],
    ...fieldsByLanguage('countryName', countryNames),
    countryNames,
    cityCode,
    cityName: cityNames[language],
    ...fieldsByLanguage('cityName', cityNames),
    cityNames,
    nameLanguage: language,
  }
}
