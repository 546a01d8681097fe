import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Readable, selectJson, type Tx } from '../database/database.ts'

/** Settings with this prefix and the id of an account say that its books do not balance. */
const PREFIX = 'books_in_doubt:'

/**
 * SQL condition: the books of an account do not balance, so that nobody knows what it has. It spends nothing until they do.
 *
 * @param column of the account's id; a constant of the code
 */
export function isFrozen(column: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM settings WHERE key = ${PREFIX} || ${Prisma.raw(column)})`
}

/** Condition: as {@link isFrozen}. */
export function frozen(accountId: Expression<number>): Expression<SqlBool> {
  const { eb, exists, val, selectFrom, cast } = expressionBuilder<DB>()
  const key = eb(val(PREFIX), '||', cast<string>(accountId, 'text'))
  return exists(selectFrom('settings').select('key').where('key', '=', key))
}

/** @returns ids of the accounts whose books do not balance */
export function frozenAccounts({ db }: { readonly db: { readonly read: Readable } }): Promise<number[]> {
  return selectJson<number>(
    db.read,
    Prisma.sql`SELECT substr(key, ${PREFIX.length + 1}) AS json FROM settings WHERE key BETWEEN ${PREFIX} AND ${`${PREFIX};`}`,
  )
}

/** Stops the spending of accounts. */
export async function freezeSpending(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    INSERT OR IGNORE INTO settings (key, value) SELECT ${PREFIX} || value, '' FROM json_each(${JSON.stringify(accountIds)})`
}

/** Lets all accounts spend again but these. */
export async function unfreezeExcept(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM settings WHERE key BETWEEN ${PREFIX} AND ${`${PREFIX};`}
      AND key NOT IN (SELECT ${PREFIX} || value FROM json_each(${JSON.stringify(accountIds)}))`
}
