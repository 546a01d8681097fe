/**
 * What people type in a language for days, terms and answers (rules 5.27). It is understood in every chat, whatever the chat's own language.
 * What is not a list is alternatives of a regular expression.
 */
export interface TypedWords {
  readonly today: string
  readonly yesterday: string
  readonly tomorrow: string
  /** How the names of the months begin, from January; empty where months have numbers only. */
  readonly months: readonly string[]
  /** Before the first of two days, and between both. */
  readonly since: string
  readonly until: string
  /** Beside an hour that is counted to twelve. */
  readonly forenoon: string
  readonly afternoon: string
  /** Between a day and an hour. */
  readonly at: string
  /** Units that follow a number. */
  readonly minute: string
  readonly hour: string
  readonly day: string
  readonly week: string
  readonly month: string
  readonly year: string
  /** Numbers at the beginning of a term. */
  readonly numerals: Readonly<Record<string, string>>
  /** Terms without a number, each as it is with one. */
  readonly terms: Readonly<Record<string, string>>
  readonly yes: readonly string[]
  readonly no: readonly string[]
}
