import { z } from 'zod'

/** Spaces, control, format (zero-width, direction) and unassigned characters, fillers, variation selectors, the Braille blank. */
const FORBIDDEN = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Characters of the longest username (contract 2). */
export const MAX_USERNAME = 50

/** 3-50 characters after NFKC, none of them invisible (contract 2). */
export const Username = z
  .string()
  .transform((name) => name.normalize('NFKC'))
  .pipe(
    z
      .string()
      .min(3)
      .max(MAX_USERNAME)
      .refine((name) => !FORBIDDEN.test(name), { error: 'invisible_characters' }),
  )

/** 6-50 characters (spec: user creation). */
export const Password = z.string().min(6).max(50)

/** What makes two usernames the same: unique without regard to case. */
export function usernameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
