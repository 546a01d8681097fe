import { LANGUAGES } from '../../core/languages.ts'
import { LOCALES } from '../texts/index.ts'
import type { TypedWords } from '../texts/typed-words.ts'

/** The words that people type, of each language. */
export const TYPED_WORDS: readonly TypedWords[] = LANGUAGES.map((language) => LOCALES[language].typed)

type Alternatives = {
  [Name in keyof TypedWords]: TypedWords[Name] extends string ? Name : never
}[keyof TypedWords]

/** Alternatives of a regular expression, of all languages. */
export const typedWords = (...names: readonly Alternatives[]): string =>
  names.flatMap((name) => TYPED_WORDS.map((words) => words[name])).join('|')

/** Returns whether a text is one of those that stand for a name, in any language. */
export const isTyped = (name: 'yes' | 'no', text: string): boolean =>
  TYPED_WORDS.some((words) => words[name].includes(text.toLowerCase()))
