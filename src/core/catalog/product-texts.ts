import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { parsed } from '../database/dialect.ts'
import { type Language, ofEachLanguage } from '../languages.ts'
import {
  type FieldsByLanguage,
  fieldInLanguage,
  fieldsByLanguage,
  type Translations,
  translationsOf,
} from '../translations.ts'

const { ref } = expressionBuilder<DB & { p: DB['products'] }, 'p'>()
const names = parsed<Translations>(ref('p.names'))

/** Names and descriptions of product `p`, as columns. */
export const NAMES = names.as('names')
export const DESCRIPTIONS = parsed<Translations>(ref('p.descriptions')).as('descriptions')
/** The names in a row of something else, such as an order. */
export const PRODUCT_NAMES = names.as('productNames')

/** Languages in which each product has a name; in others it has one where it was given. */
export const NAMED_LANGUAGES: readonly Language[] = ['en', 'zh']

const Name = z.string().trim().max(80)
const Description = z.string().trim().max(300)
const isNamed = (language: Language) => NAMED_LANGUAGES.includes(language)

/** Schema of the names of a new product. An empty text is none, here and below. */
export const NewNames = z.object(
  // For the compiler all may be missing: it does not know which languages there will be.
  ofEachLanguage(
    (language) => (isNamed(language) ? Name.min(1) : Name.optional()) as z.ZodOptional<z.ZodString>,
  ),
)
/** Schemas of texts that change; what is missing stays. */
export const EditedNames = z.object(
  ofEachLanguage((language) => (isNamed(language) ? Name.min(1) : Name).optional()),
)
export const EditedDescriptions = z.object(ofEachLanguage(() => Description.optional()))

type GivenTexts = { readonly [Each in Language]?: string | undefined }

/**
 * Returns what a column holds of texts by language.
 *
 * @param before what it held, of which languages that are not given stay
 */
export function textsColumn(texts: GivenTexts, before = '{}'): string {
  const given = Object.entries(texts).filter(([, text]) => text !== undefined)
  const all = { ...(JSON.parse(before) as Translations), ...Object.fromEntries(given) }
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([, text]) => text !== '')))
}

/** What a product has by language, and what its fields are called where each language has one: `nameEn`, `descriptionZh`. */
const STEMS = { names: 'name', descriptions: 'description' } as const
type Stem = (typeof STEMS)[keyof typeof STEMS]
type TextField = keyof FieldsByLanguage<Stem, Record<Language, unknown>>
type Fields = Readonly<Record<string, unknown>>

/** Puts the texts of such fields together, as the core takes them; other fields stay. */
export function withTexts<Given extends Fields>(
  fields: Given,
): Omit<Given, TextField> & { readonly [Name in keyof typeof STEMS]?: Translations } {
  const texts: Record<string, Translations> = {}
  const others: Record<string, unknown> = { ...fields }
  for (const [name, stem] of Object.entries(STEMS)) {
    const found = translationsOf(fields, stem)
    if (found) texts[name] = found
    for (const language of Object.keys(found ?? {}))
      delete others[fieldInLanguage(stem, language as Language)]
  }
  return { ...texts, ...others } as never
}

/** Gives each text a field, as the trail keeps them; other fields stay. */
export function withTextFields({ names, descriptions, ...others }: Texts): Fields {
  return {
    ...fieldsByLanguage(STEMS.names, names ?? {}),
    ...fieldsByLanguage(STEMS.descriptions, descriptions ?? {}),
    ...others,
  }
}

interface Texts {
  readonly names?: GivenTexts | undefined
  readonly descriptions?: GivenTexts | undefined
}

/** Returns the field in which what the path of an issue leads to is typed. */
export function typedField([field = '', language]: readonly PropertyKey[]): string {
  const stem = new Map<PropertyKey, string>(Object.entries(STEMS)).get(field)
  return stem === undefined || language === undefined
    ? String(field)
    : fieldInLanguage(stem, language as Language)
}
