import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { insufficientBalance } from '../ledger/book-entry.ts'
import { fromNumber } from '../money.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { worthOf } from '../usdt.ts'
import { AmountOfEarnings } from './amount.ts'
import { bookEarningEntry } from '../ledger/book-earning-entry.ts'
import { earningsOf, type EarningsOfAgent } from './earnings-of-agent.ts'
import { type Payout, payoutOf } from './payout.ts'
import { happened } from '../facts/happened.ts'
import type { EarningDeps } from './deps.ts'

export const NewPayout = z.object({
  amount: AmountOfEarnings,
  /** Where the USDT are sent. */
  address: z.string().trim().max(64),
  /** With a key, a repeated request gets the first answer again. */
  requestKey: RequestKey.nullish(),
})

interface RequestedPayout {
  readonly payout: Payout
  /** The earnings that are left. */
  readonly earnings: EarningsOfAgent
}

/**
 * Requests available earnings of an agent in USDT (rules 13.6), as far as they were paid by money that came in (rules 13.15). They are
 * no longer available from now on; the operator pays them, or refuses.
 * What they are worth in USDT is fixed now, by the rate of top-ups, rounded down to 10^-6.
 *
 * @throws agent_required, insufficient_balance (less may be paid out), validation_error (also for less than the least amount and for what
 *   is no address), idempotency_conflict; unavailable while the books of the agent are in doubt, and where nothing is paid out
 */
export async function requestPayout(
  deps: EarningDeps,
  actor: Actor,
  input: z.input<typeof NewPayout>,
): Promise<RequestedPayout & { readonly replayed: boolean }> {
  requireAgent(actor)
  const { payouts: terms } = deps
  if (!terms) throw new ServiceError('unavailable')
  const { requestKey, amount: units, address } = parseInput(NewPayout, input)
  const amount = fromNumber(units) ?? 0
  const usdtUnits = worthOf(amount, terms.rate)
  if (amount < terms.min || usdtUnits === 0) throw InvalidInput.of('amount', 'less_than_payout_min')
  if (!terms.isAddress(address)) throw InvalidInput.of('address', 'not_a_tron_address')
  const request = { key: requestKey, kind: 'request_payout', input: { amount, address } }
  return once(deps, actor, request, async (tx) => {
    const now = deps.clock.now()
    const books = await tx.$kysely
      .selectFrom('accounts')
      .select('frozen')
      .where('id', '=', actor.id)
      .executeTakeFirst()
    if (books?.frozen) throw new ServiceError('unavailable', { data: { reason: 'books_in_doubt' } })
    const { payable } = await earningsOf(tx, actor.id)
    if (payable < amount) throw insufficientBalance(amount, payable)
    const payoutNo = newNumber('P', now)
    const { rate } = terms
    const facts = { amount, usdtUnits, address }
    const id = await insertPayout(tx, { payoutNo, agentId: actor.id, rate, ...facts, createdAt: now })
    const entry = { agentId: actor.id, kind: 'payout', source: `payout:${payoutNo}`, payoutId: id } as const
    if (!(await bookEarningEntry(tx, now, { ...entry, spendable: -amount, payable: -amount })))
      throw new Error(`payout ${payoutNo} was not booked`)
    const data = { username: actor.username, ...facts }
    happened(
      tx,
      { kind: 'payout.requested', actor, amount },
      { kind: 'payout_wanted', subject: payoutNo, data },
    )
    return { payout: await payoutOf(tx, payoutNo), earnings: await earningsOf(tx, actor.id) }
  })
}

const insertPayout = compiledInsert('payouts')
