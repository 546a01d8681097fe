import { type Insertable, sql } from 'kysely'
import type { DB } from '../../src/generated/kysely/tables.ts'
import { rowsOf } from '../../src/core/database/dialect.ts'
import type { Tx } from '../../src/core/database/database.ts'

/**
 * Inserts many rows by one statement.
 *
 * @param rows all with the same columns; those of the first one are numbers or texts in all of them, or null
 */
export async function plantRows<Table extends keyof DB>(
  { $kysely, $engine }: Pick<Tx, '$kysely' | '$engine'>,
  table: Table,
  rows: readonly Insertable<DB[Table]>[],
): Promise<void> {
  const kinds = Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [
      name,
      typeof value === 'number' ? 'integer' : 'text',
    ]),
  )
  const names = Object.keys(kinds)
  await $kysely
    .insertInto(table)
    .columns(names as never)
    .expression((eb) =>
      eb
        .selectFrom(rowsOf(rows as never, kinds as Record<string, 'text' | 'integer'>, 'given'))
        .select(names.map((name) => sql.ref(`given.${name}`).as(name)) as never),
    )
    .execute()
  // As it would do by itself within a minute: its plans follow from what it knows of the rows.
  if ($engine === 'postgres') await sql`ANALYZE ${sql.table(table)}`.execute($kysely)
}
