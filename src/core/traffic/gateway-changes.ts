import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'

/**
 * Puts accounts into the feed of the gateways (rules 12.2), for use that they did not report themselves. All other changes get there
 * by triggers.
 */
export async function tellGateways(tx: Tx, usernames: readonly string[]): Promise<void> {
  if (usernames.length === 0) return
  await dropChanges(tx, { usernames })
  await addChanges(tx, { names: usernames.map((name) => ({ name })) })
}

const dropChanges = compiled<{ usernames: readonly string[] }>()((db, { usernames }) =>
  db.deleteFrom('gatewayChanges').where('kind', '=', 'account').where('name', 'in', listOf(usernames)),
)

const addChanges = compiled<{ names: readonly { readonly name: string }[] }>()((db, { names }) =>
  db
    .insertInto('gatewayChanges')
    .columns(['kind', 'name'])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(names, { name: 'text' }, 'n'))
        .select(({ val }) => val<'account'>('account').as('kind'))
        .select('n.name'),
    ),
)
