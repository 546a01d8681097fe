import { compiled } from '../database/compiled.ts'
import type { Funding } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import type { Readable, Tx } from '../database/database.ts'
import { newNumber } from '../ids.ts'
import type { Micros } from '../money.ts'
import { type BookedEntry, bookEntry } from './book-entry.ts'
import type { EntryRemark } from './system-remarks.ts'

/**
 * Moves money between an agent and its sub-user in the open transaction (rules 2.14): with `transfer` funding both balances change,
 * with `mint` only that of the sub-user. Money that came in is the first to leave the agent and the last to leave the sub-user, and
 * counts as such on the other side (rules 13.14).
 *
 * @param amount positive: to the sub-user; negative: back to the agent
 * @param remark remark of the entries; their operator is the agent, unless it names another one
 * @param number number of the transfer; unique
 * @returns the sub-user's entry
 * @throws insufficient_balance of the side that pays
 */
export async function transferToSubUser(
  tx: Tx,
  now: Date,
  agent: Pick<Actor, 'id'>,
  subUserId: number,
  amount: Micros,
  remark: EntryRemark & { readonly operatorId?: number | null },
  number = newNumber('X', now),
): Promise<BookedEntry> {
  const source = `transfer:${number}`
  const shared = { operatorId: agent.id, ...remark }
  if ((await fundingOf(tx, agent.id)) === 'mint') {
    return bookEntry(tx, now, { ...shared, accountId: subUserId, type: 'adjust', amount, paidIn: 0, source })
  }
  const ofAgent = { ...shared, accountId: agent.id, source: `${source}:agent` }
  const ofUser = { ...shared, accountId: subUserId, source: `${source}:user` }
  const out = { type: 'transfer_out', amount: -Math.abs(amount) } as const
  const into = { type: 'transfer_in', amount: Math.abs(amount) } as const
  if (amount > 0) {
    const { paidIn } = await bookEntry(tx, now, { ...ofAgent, ...out })
    return bookEntry(tx, now, { ...ofUser, ...into, paidIn: -paidIn })
  }
  const taken = await bookEntry(tx, now, { ...ofUser, ...out, paidIn: 0 })
  await bookEntry(tx, now, { ...ofAgent, ...into, paidIn: -taken.paidIn })
  return taken
}

/** Returns whether there was a transfer with this number. */
export async function transferExists(db: Readable, number: string): Promise<boolean> {
  const source = `transfer:${number}`
  const found = await db.$kysely
    .selectFrom('ledgerEntries')
    .select('id')
    .where('source', 'in', [source, `${source}:user`])
    .executeTakeFirst()
  return found !== undefined
}

/** Reads where the money of an agent's sub-users comes from: its own balance (`transfer`), or newly created (`mint`). */
export async function fundingOf(tx: Tx, agentId: number): Promise<Funding> {
  const [agent] = await findFunding(tx, { agentId })
  return agent?.funding === 'mint' ? 'mint' : 'transfer'
}

const findFunding = compiled<{ agentId: number }>()((db, { agentId }) =>
  db.selectFrom('accounts').select('funding').where('id', '=', agentId),
)
