import type { Insertable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { compiledByShape } from './compiled.ts'
import type { Tx } from './database.ts'

type TableWithId = {
  [Table in keyof DB]: 'id' extends keyof DB[Table] ? Table : never
}[keyof DB]

/**
 * Makes a function that inserts one row into a table, compiled once for each set of columns.
 * `const insertPrice = compiledInsert('prices')`
 *
 * @returns a function that takes the row and resolves to its id
 */
export function compiledInsert<Table extends TableWithId>(table: Table) {
  type Row = Insertable<DB[Table]>
  const insert = compiledByShape<readonly string[], Row>()((db, columns, value) => {
    const row = Object.fromEntries(columns.map((column) => [column, value[column as keyof Row]]))
    return db
      .insertInto<TableWithId>(table)
      .values(row as never)
      .returning('id')
  })
  return async (tx: Tx, row: Row): Promise<number> => {
    const [inserted] = await insert(tx, Object.keys(row), row)
    if (!inserted) throw new Error(`nothing was inserted into ${table}`)
    return inserted.id
  }
}
