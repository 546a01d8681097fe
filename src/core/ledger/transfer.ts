import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { type Readable, selectJson, type Tx } from '../database/database.ts'
import { newNumber } from '../ids.ts'
import type { Micros } from '../money.ts'
import { type BookedEntry, bookEntry } from './book-entry.ts'

export interface Transfer extends BookedEntry {
  readonly userId: number
  readonly username: string
  readonly amount: Micros
  readonly remark: string
  readonly agentBalance: Micros
}

/**
 * Moves money between an agent and its sub-user in the open transaction (contract 2, "Money between agent and sub-user"):
 * with `transfer` funding what one gains the other loses, with `mint` only the sub-user's balance moves.
 *
 * @param amount positive: to the sub-user; negative: back to the agent
 * @param number of the transfer; no two have the same
 * @returns the sub-user's entry
 * @throws insufficient_balance of whoever has to give
 */
export async function transferToSubUser(
  tx: Tx,
  now: Date,
  agent: Actor,
  subUserId: number,
  amount: Micros,
  remark: string,
  number = newNumber('X', now),
): Promise<BookedEntry> {
  const source = `transfer:${number}`
  const shared = { operatorId: agent.id, remark }
  if ((await fundingOf(tx, agent.id)) === 'mint') {
    return bookEntry(tx, now, { ...shared, accountId: subUserId, type: 'adjust', amount, source })
  }
  const direction = (change: Micros) => (change < 0 ? 'transfer_out' : 'transfer_in')
  await bookEntry(tx, now, {
    ...shared,
    accountId: agent.id,
    type: direction(-amount),
    amount: -amount,
    source: `${source}:agent`,
  })
  return bookEntry(tx, now, {
    ...shared,
    accountId: subUserId,
    type: direction(amount),
    amount,
    source: `${source}:user`,
  })
}

/** The sub-user's entry of the transfer with this number, if there was one; its balance and the agent's are those after it. */
export async function findTransfer(
  db: Readable,
  agentId: number,
  number: string,
): Promise<Transfer | undefined> {
  const source = `transfer:${number}`
  const [transfer] = await selectJson<Transfer>(
    db,
    Prisma.sql`SELECT json_object('transactionNo', e.transaction_no, 'userId', a.id, 'username', a.username, 'amount', e.amount,
                 'balanceAfter', e.balance_after, 'remark', e.remark, 'agentBalance', coalesce((
                   SELECT balance_after FROM ledger_entries WHERE account_id = ${agentId} AND id < e.id ORDER BY id DESC LIMIT 1), 0)) AS json
               FROM ledger_entries e JOIN accounts a ON a.id = e.account_id WHERE e.source IN (${source}, ${`${source}:user`})`,
  )
  return transfer
}

/** Where the money of an agent's sub-users comes from: its own balance, or nowhere. */
export async function fundingOf(tx: Tx, agentId: number): Promise<'transfer' | 'mint'> {
  const { funding } = await tx.account.findUniqueOrThrow({
    where: { id: agentId },
    select: { funding: true },
  })
  return funding === 'mint' ? 'mint' : 'transfer'
}
