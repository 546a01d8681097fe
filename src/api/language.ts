import { type Language, languageOfTag } from '../core/languages.ts'

export type { Language }

/**
 * Returns the language of the texts of an answer (rules 1.6): the one that `Accept-Language` prefers.
 *
 * @param fallback the variant's own, when the header names none that the service has
 */
export function languageOf(acceptLanguage: string | undefined, fallback: Language): Language {
  let best: Language = fallback
  let bestQuality = 0
  for (const range of acceptLanguage?.split(',') ?? []) {
    const [tag = '', ...parameters] = range.toLowerCase().split(';')
    const language = languageOfTag(tag)
    if (!language) continue
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
    if (Number(quality ?? 1) > bestQuality) {
      best = language
      bestQuality = Number(quality ?? 1)
    }
  }
  return best
}
