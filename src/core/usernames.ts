import { z } from 'zod'

/** Spaces, control, format (zero-width, direction) and unassigned characters, fillers, variation selectors, the Braille blank. */
const FORBIDDEN = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The scripts in general use (UAX #31, table 5). */
const SCRIPTS =
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul Han Hebrew Hiragana Kannada ' +
  'Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'
/** Scripts that are written together: Japanese, Chinese and Korean, each with Latin letters. */
const WRITTEN_TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul']
/** The restriction level "highly restrictive" of UTS #39: a Cyrillic "а" among Latin letters looks like another name. */
const ONE_WRITING = [...SCRIPTS.split(' '), ...WRITTEN_TOGETHER].map((scripts) => {
  const letters = [...scripts.split(' '), 'Common', 'Inherited'].map((script) => `\\p{scx=${script}}`)
  return new RegExp(`^[${letters.join('')}]*$`, 'u')
})

/** Characters of the longest username (rules 2.5). */
export const MAX_USERNAME = 50

/** 3-50 characters after NFKC, none of them invisible (rules 2.5), without letters of several alphabets. */
export const Username = z
  .string()
  .transform((name) => name.normalize('NFKC'))
  .pipe(
    z
      .string()
      .min(3)
      .max(MAX_USERNAME)
      .refine((name) => !FORBIDDEN.test(name), { error: 'invisible_characters' })
      .refine((name) => ONE_WRITING.some((writing) => writing.test(name)), { error: 'mixed_scripts' }),
  )

/** 6-50 characters (rules 2.6). */
export const Password = z.string().min(6).max(50)

/** Returns the form in which usernames are compared and unique: after NFKC, without regard to case. */
export function usernameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
