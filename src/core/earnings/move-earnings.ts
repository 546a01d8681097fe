import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { parseInput } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { bookEntry, insufficientBalance } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import { fromNumber } from '../money.ts'
import { type Held, Money, record } from '../record.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { AmountOfEarnings } from './amount.ts'
import { bookEarningEntry } from '../ledger/book-earning-entry.ts'
import { EarningsBalance, earningsOf } from './earnings-of-agent.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const MoveInput = z.object({
  amount: AmountOfEarnings,
  /** With a key, a repeated request gets the first answer again. */
  requestKey: RequestKey.nullish(),
})

const MOVED = {
  transactionNo: z.string(),
  balance: Money.meta({ description: 'Balance of the agent afterwards' }),
  earnings: EarningsBalance.meta({ description: 'What is left' }),
}
export const MovedEarningsRecord = record(MOVED)

/**
 * Moves available earnings of an agent to its balance (rules 13.5), by one entry on each side in one transaction. What may be paid out
 * is moved last, and is money that came in there, too (rules 13.14).
 *
 * @throws agent_required, insufficient_balance (less is available), idempotency_conflict, validation_error
 */
export async function moveEarnings(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof MoveInput>,
): Promise<Held<typeof MOVED> & { readonly replayed: boolean }> {
  requireAgent(actor)
  const { requestKey, amount: units } = parseInput(MoveInput, input)
  const amount = fromNumber(units) ?? 0
  return once(deps, actor, { key: requestKey, kind: 'move_earnings', input: { amount } }, async (tx) => {
    const now = deps.clock.now()
    const source = `earnings:${newNumber('E', now)}`
    const { available, payable } = await earningsOf(tx, actor.id)
    const paidIn = Math.min(amount, Math.max(0, amount - (available - payable)))
    const moved = {
      agentId: actor.id,
      kind: 'to_balance',
      source,
      spendable: -amount,
      payable: -paidIn,
    } as const
    if (!(await bookEarningEntry(tx, now, moved))) throw insufficientBalance(amount, available)
    const { transactionNo, balanceAfter } = await bookEntry(tx, now, {
      accountId: actor.id,
      type: 'adjust',
      amount,
      paidIn,
      source,
      operatorId: actor.id,
      ...systemRemark('earnings'),
    })
    return { transactionNo, balance: balanceAfter, earnings: await earningsOf(tx, actor.id) }
  })
}
