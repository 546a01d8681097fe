import type { Client, PoolClient, QueryArrayConfig, QueryArrayResult } from 'pg'
import type { SqlResultSet } from '@prisma/driver-adapter-utils'
import { SLOW_STATEMENT_MS } from '../statements.ts'
import { bound, parserOf, typeOf } from './bind.ts'
import { asAdapterError, type UniqueKeys } from './failure.ts'
import type { SharedReads } from './shared-reads.ts'

/** Statements kept prepared per connection. The service has far fewer; the limit guards against generated SQL. */
export const STATEMENT_LIMIT = 1_000

/** What runs statements: a connection, or a pool of them. */
export type Runner = Pick<Client | PoolClient, 'query'>

/** Rows as lists of values, as the server sent them. */
export interface Answer extends Pick<SqlResultSet, 'rows'> {
  readonly columns: readonly { readonly name: string; readonly type: number }[]
  /** Number of changed rows. */
  readonly changed: number
}

/** Names of prepared statements, by the types of their parameters and their text. */
const names = new Map<string, string>()

function nameOf(sql: string, types: readonly number[]): string | undefined {
  const key = `${types.join()} ${sql}`
  const known = names.get(key)
  if (known !== undefined || names.size >= STATEMENT_LIMIT) return known
  const name = `s${names.size}`
  names.set(key, name)
  return name
}

/** Runs statements: keeps them prepared, measures their time, and maps errors of PostgreSQL. */
export class PostgresStatements {
  readonly #runner: () => Runner
  readonly #keys: UniqueKeys
  readonly #onSlow: (sql: string, ms: number) => void
  readonly #reads: () => SharedReads<Answer> | undefined

  /**
   * @param runner called before each statement; throws when the client may not be used now
   * @param onSlow told about statements that took longer than {@link SLOW_STATEMENT_MS}
   * @param reads cached reads of the open transaction; undefined: each read goes to the server
   */
  constructor(
    runner: () => Runner,
    keys: UniqueKeys,
    onSlow: (sql: string, ms: number) => void = () => {},
    reads: () => SharedReads<Answer> | undefined = () => undefined,
  ) {
    this.#runner = runner
    this.#keys = keys
    this.#onSlow = onSlow
    this.#reads = reads
  }

  /** @returns the rows; rejected with a DriverAdapterError when PostgreSQL refuses the statement or cannot be reached */
  async run(sql: string, values: readonly unknown[]): Promise<Answer> {
    const runner = this.#runner()
    const types = values.map(typeOf)
    const texts = values.map(bound)
    const ask = () => this.#ask(runner, sql, texts, types)
    return this.#reads()?.answer(sql, texts, types, ask) ?? ask()
  }

  async #ask(
    runner: Runner,
    sql: string,
    values: readonly (string | null)[],
    types: readonly number[],
  ): Promise<Answer> {
    const begun = performance.now()
    try {
      // The driver hands `types` to the server as the types of the parameters, and asks it for the parsers of the columns.
      const config = {
        text: sql,
        name: nameOf(sql, types),
        values,
        rowMode: 'array',
        types: Object.assign([...types], { getTypeParser: parserOf }),
      }
      const result = await runner.query<unknown[]>(config as unknown as QueryArrayConfig)
      return answerOf(result as QueryArrayResult)
    } catch (error) {
      throw asAdapterError(error, this.#keys)
    } finally {
      const ms = performance.now() - begun
      if (ms > SLOW_STATEMENT_MS) this.#onSlow(sql, ms)
    }
  }

  /** Runs one or more statements without parameters. */
  async script(sql: string): Promise<void> {
    this.#reads()?.forget()
    try {
      await this.#runner().query(sql)
    } catch (error) {
      throw asAdapterError(error, this.#keys)
    }
  }
}

function answerOf({ rows, fields, rowCount }: QueryArrayResult): Answer {
  return {
    rows,
    columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
    changed: rowCount ?? 0,
  }
}
