import { z } from 'zod'
import { FALLBACK_LANGUAGE, type Language, LANGUAGES, ofEachLanguage } from './languages.ts'

/** A text that people read, such as a name, in some of the languages of the service. */
export type Translations = Readonly<Partial<Record<Language, string>>>

/** Schema of {@link Translations} in records that are shown. */
export const TranslationsRecord = z.partialRecord(z.enum(LANGUAGES), z.string())

/** Returns a text in a language; where it has none, in the language of last resort, else in any. Empty when it has none at all. */
export function translationIn(texts: Translations, language: Language): string {
  return texts[language] ?? texts[FALLBACK_LANGUAGE] ?? Object.values(texts)[0] ?? ''
}

/** The fields of {@link fieldsByLanguage}. */
export type FieldsByLanguage<Stem extends string, Values> = {
  readonly [Each in keyof Values & string as `${Stem}${Capitalize<Each>}`]: Values[Each]
}

/** Returns the name of the field that has a text in one language: `nameEn` of `name`. */
export function fieldInLanguage<Stem extends string, Each extends Language>(
  stem: Stem,
  language: Each,
): `${Stem}${Capitalize<Each>}` {
  return `${stem}${language.charAt(0).toUpperCase()}${language.slice(1)}` as never
}

/** Makes fields of values by language, where a form, an option or a record has one for each language. */
export function fieldsByLanguage<
  Stem extends string,
  Values extends Readonly<Partial<Record<Language, unknown>>>,
>(stem: Stem, values: Values): FieldsByLanguage<Stem, Values> {
  const fields = Object.entries(values).map(([language, value]) => [
    fieldInLanguage(stem, language as Language),
    value,
  ])
  return Object.fromEntries(fields) as never
}

/** Collects the texts of such fields; undefined when there is none. */
export function translationsOf(fields: object, stem: string): Translations | undefined {
  const found = LANGUAGES.flatMap((language) => {
    const text = (fields as Readonly<Record<string, unknown>>)[fieldInLanguage(stem, language)]
    return typeof text === 'string' ? [[language, text] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Makes such fields of the texts, for each language of the service; empty where there is no text. */
export function textFields<Stem extends string>(
  stem: Stem,
  texts: Translations,
): FieldsByLanguage<Stem, Record<Language, string>> {
  return fieldsByLanguage(
    stem,
    ofEachLanguage((language) => texts[language] ?? ''),
  )
}
