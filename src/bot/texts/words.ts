import type * as en from './en/index.ts'

/** What the bot says in a language: all have the shape of English, so a missing text does not compile. */
export type Words = typeof en
