/** Something that must hold of the books. Its query selects what breaks it, so that an empty answer is the proof. */
export interface Rule {
  readonly name: string
  /** Rows that break the rule: `subject` and two numbers that should be equal. Money unless `count`. */
  readonly sql: string
  readonly unit: 'money' | 'count'
}
