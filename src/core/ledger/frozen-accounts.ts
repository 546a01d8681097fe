import type { Queryable } from '../database/queries.ts'
import type { Tx } from '../database/database.ts'
import { isTrue, listOf } from '../database/dialect.ts'

/** Returns the ids of the accounts whose spending is frozen, because their books do not balance. */
export async function frozenAccounts({
  db,
}: {
  readonly db: { readonly read: Queryable }
}): Promise<number[]> {
  const accounts = await db.read.$kysely
    .selectFrom('accounts')
    .select('id')
    .where(({ ref }) => isTrue(ref('frozen')))
    .orderBy('id')
    .execute()
  return accounts.map(({ id }) => id)
}

/** Freezes the spending of these accounts. */
export async function freezeSpending(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await tx.$kysely
    .updateTable('accounts')
    .set({ frozen: true })
    .where('id', 'in', listOf(accountIds))
    .where('frozen', '=', false)
    .execute()
}

/** Unfreezes the spending of all accounts except these. */
export async function unfreezeExcept(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await tx.$kysely
    .updateTable('accounts')
    .set({ frozen: false })
    .where(({ ref }) => isTrue(ref('frozen')))
    .where('id', 'not in', listOf(accountIds))
    .execute()
}
