/**
 * Caches answers to reads within a transaction in which nobody else writes, until a statement is sent that may change something. Orders
 * that run side by side, mostly of one buyer, thus share their reads.
 */
export class SharedReads<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>()

  /** @param values parameters as they are sent; `types` holds their types */
  answer(
    sql: string,
    values: readonly (string | null)[],
    types: readonly number[],
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    // As Kysely spells a mere read; a statement that may change something begins with another keyword, `with` among them.
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

  /** Clears the cache: at each savepoint, and when one is undone. */
  forget(): void {
    this.#answers.clear()
  }
}
