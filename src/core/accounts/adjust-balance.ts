import { z } from 'zod'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { fromNumber, type Micros } from '../money.ts'
import { usernameKey } from './usernames.ts'

export const OperatorAdjustment = z.object({
  username: z.string(),
  amount: z
    .number()
    .refine((value) => value !== 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
    .transform((value) => fromNumber(value) ?? 0),
  remark: z.string().trim().min(1).max(255),
})

export interface Adjustment {
  readonly transactionNo: string
  readonly username: string
  readonly amount: Micros
  readonly oldBalance: Micros
  readonly newBalance: Micros
}

/**
 * The operator adjusts any account's balance (contract 10).
 *
 * @throws user_not_found, balance_below_zero, validation_error
 */
export async function adjustBalanceByOperator(
  deps: CoreDeps,
  input: z.input<typeof OperatorAdjustment>,
): Promise<Adjustment> {
  const { username, amount, remark } = parseInput(OperatorAdjustment, input)
  return deps.db.write(async (tx) => {
    const account = await tx.account.findUnique({ where: { usernameKey: usernameKey(username) } })
    if (!account || account.status === 'deleted') throw new ServiceError('user_not_found')
    if (Number(account.balance) + amount < 0) throw new ServiceError('balance_below_zero')
    const now = deps.clock.now()
    const entry = await bookEntry(tx, now, {
      accountId: account.id,
      type: 'adjust',
      amount,
      source: `adjust:${newNumber('A', now)}`,
      operatorId: null,
      remark,
    })
    return {
      transactionNo: entry.transactionNo,
      username: account.username,
      amount,
      oldBalance: entry.balanceAfter - amount,
      newBalance: entry.balanceAfter,
    }
  })
}
