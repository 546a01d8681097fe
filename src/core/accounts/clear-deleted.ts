import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import { parseInput } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { type HeldOf, Money, record } from '../record.ts'
import { agentNamed } from './account-named.ts'
import { sourceOf } from './adjust-balance.ts'
import { Because, type CustomerChange } from './because.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What a deleted sub-user has left. */
export const LeftBehindRecord = record({ id: z.int(), username: z.string(), balance: Money })
export type LeftBehind = HeldOf<typeof LeftBehindRecord>

/**
 * Returns the balances of an agent's deleted sub-users, oldest first: with the funding `mint` they stay on the records (rules 2.12).
 *
 * @param username of the agent
 * @throws user_not_found, agent_required
 */
export async function leftWithDeleted({ db }: Essentials, username: string): Promise<LeftBehind[]> {
  return findLeft(db.read, { agentId: (await agentNamed(db.read, username)).id })
}

/**
 * The operator takes back what deleted sub-users of an agent have left, by one entry each (rules 2.14, 10.2). Repeating it changes nothing.
 *
 * @returns the deleted sub-users, with the amount that was taken back from each
 * @throws user_not_found, agent_required, validation_error, unavailable (the books of one of them are in doubt)
 */
export async function clearDeleted(
  deps: Essentials,
  { username, ...input }: CustomerChange,
): Promise<LeftBehind[]> {
  const { reason: remark } = parseInput(Because, input)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const left = await findLeft(tx, { agentId: (await agentNamed(tx, username)).id })
    for (const { id: accountId, balance } of left) {
      const source = sourceOf(newNumber('A', now))
      const entry = { accountId, type: 'adjust' as const, amount: -balance, source, operatorId: null, remark }
      await bookEntry(tx, now, entry)
    }
    return left
  })
}

export const findLeft = compiled<{ agentId: number }>()((db, { agentId }) =>
  db
    .selectFrom('accounts')
    .select(['id', 'username', 'balance'])
    .where('agentId', '=', agentId)
    .where('status', '=', 'deleted')
    .where('balance', '>', 0)
    .orderBy('id'),
)
