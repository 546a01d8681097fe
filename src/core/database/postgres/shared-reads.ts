/**
 * Answers of a transaction in which nobody else writes: a read is answered as it was before until a statement is sent that may change
 * something. So orders that run side by side, mostly of one buyer, share what they read of it.
 */
export class SharedReads<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>()

  /** @param values as they are sent, and their types */
  answer(
    sql: string,
    values: readonly (string | null)[],
    types: readonly number[],
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    // What Kysely writes; a statement that also changes something begins with its name, or with `with`.
    if (!sql.startsWith('select ')) {
      this.forget()
      return ask()
    }
    const key = JSON.stringify([sql, values, types])
    const known = this.#answers.get(key)
    if (known) return known
    const asked = ask()
    this.#answers.set(key, asked)
    return asked
  }

  /** Called when a transaction begins, and when something is undone. */
  forget(): void {
    this.#answers.clear()
  }
}
