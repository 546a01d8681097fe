import type { Words } from './words.ts'

/** Some of the words, at any depth. */
type Some<Part> = Part extends string | ((...given: never[]) => unknown)
  ? Part
  : { readonly [Key in keyof Part]?: Some<Part[Key]> }

/** What is worded differently in the bot of an agent, where there is no other party than the agent (rules 20.4). */
export type Branded = Some<Words>

/** Returns the words of a language with those of the bot of an agent in their places. */
export function withBranded(words: Words, branded: Branded): Words {
  return replaced(words, branded) as Words
}

function replaced(words: object, others: object): object {
  const other = new Map<string, unknown>(Object.entries(others))
  return Object.fromEntries(
    Object.entries(words).map(([key, word]: [string, unknown]) => {
      const its = other.get(key)
      return [key, isGroup(word) && isGroup(its) ? replaced(word, its) : (its ?? word)]
    }),
  )
}

function isGroup(words: unknown): words is object {
  return typeof words === 'object' && words !== null
}
