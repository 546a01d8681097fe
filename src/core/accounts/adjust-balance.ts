import { z } from 'zod'
import { type Actor, directSubUser } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber, numberFor } from '../ids.ts'
import { balanceOf, type BookedEntry, bookEntry } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import { transferExists, transferToSubUser } from '../ledger/transfer.ts'
import { fromNumber, type Micros } from '../money.ts'
import { type Held, Money, record } from '../record.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { accountNamed } from './account-named.ts'
import { endOpenRequest } from './open-request.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Input that adjustments by an agent and by the operator have in common. */
export const AdjustmentInput = z.object({
  /** In units of the currency: positive adds, negative deducts. */
  amount: z
    .number()
    .refine((value) => value !== 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' }),
  remark: z.string().trim().min(1).max(255),
})

/** With a key, a repetition changes nothing and gets the first answer. */
export const SubUserAdjustmentInput = AdjustmentInput.extend({
  /** Null: the service remarks that the agent has adjusted it. */
  remark: AdjustmentInput.shape.remark.nullable(),
  requestKey: RequestKey.nullish(),
})

export const OperatorAdjustment = AdjustmentInput.extend({
  username: z.string(),
  /** Whether the customer paid for it, or was paid, outside of this service (rules 13.14). */
  paid: z.boolean().optional(),
  /** With a key, a repetition changes nothing and gets the first answer. */
  requestKey: RequestKey.nullish(),
})

const SUB_USER_ADJUSTMENT = {
  userId: z.int(),
  username: z.string(),
  amount: Money,
  oldBalance: Money,
  newBalance: Money,
  agentBalance: Money.meta({ description: 'Own balance afterwards' }),
  transactionNo: z.string(),
  remark: z.string(),
}
/** What an agent's adjustment of a sub-user's balance did. */
export const SubUserAdjustmentRecord = record(SUB_USER_ADJUSTMENT)

interface SubUserAdjustment extends Held<typeof SUB_USER_ADJUSTMENT> {
  /** True when the same request was made before. */
  readonly replayed: boolean
}
type Adjustment = Omit<SubUserAdjustment, 'userId' | 'agentBalance' | 'remark' | 'replayed'>

/**
 * The operator adjusts any account's balance (rules 10.3).
 *
 * @throws user_not_found, balance_below_zero, idempotency_conflict, validation_error
 */
export async function adjustBalanceByOperator(
  deps: Essentials,
  input: z.input<typeof OperatorAdjustment>,
): Promise<Adjustment & { readonly replayed: boolean }> {
  const { username, remark, requestKey, paid = false, ...change } = parseInput(OperatorAdjustment, input)
  const amount = fromNumber(change.amount) ?? 0
  return deps.db.write(async (tx) => {
    const account = await accountNamed(tx, username)
    const now = deps.clock.now()
    const source = sourceOf(requestKey ? numberFor('A', requestKey) : newNumber('A', now))
    const [known] = requestKey ? await findBooked(tx, { source }) : []
    if (known) {
      const { accountId, transactionNo, amount: booked, balanceAfter, paidIn } = known
      const isOther = accountId !== account.id || booked !== amount
      if (isOther || (amount > 0 && paid !== (paidIn ?? 0) > 0))
        throw new ServiceError('idempotency_conflict')
      const balances = { oldBalance: balanceAfter - amount, newBalance: balanceAfter }
      return { transactionNo, username: account.username, amount, ...balances, replayed: true }
    }
    const change = { amount, remark, source, paid }
    return { ...(await adjustByOperator(deps, tx, account, change)), replayed: false }
  })
}

/** Returns the source of the entry of an adjustment by the operator. */
export function sourceOf(number: string): string {
  return `adjust:${number}`
}

/**
 * {@link adjustBalanceByOperator} in the open transaction.
 *
 * @param change `source` is unique among entries; a null `remark` is stored as none; `paid` is false by default
 * @throws balance_below_zero
 */
export async function adjustByOperator(
  deps: Essentials,
  tx: Tx,
  { id, username }: { readonly id: number; readonly username: string },
  {
    amount,
    remark,
    source,
    paid = false,
  }: {
    readonly amount: Micros
    readonly remark: string | null
    readonly source: string
    readonly paid?: boolean
  },
): Promise<Adjustment> {
  const now = deps.clock.now()
  const entry = {
    accountId: id,
    type: 'adjust' as const,
    amount,
    paidIn: paid ? amount : 0,
    source,
    operatorId: null,
    remark: remark ?? '',
  }
  const adjusted = await adjustment(username, amount, () => bookEntry(tx, now, entry))
  if (amount > 0) await endOpenRequest(tx, now, id)
  happened(tx, { ...toldOf(id, adjusted), remark, by: 'operator' })
  return adjusted
}

const findBooked = compiled<{ source: string }>()((db, { source }) =>
  db
    .selectFrom('ledgerEntries')
    .select(['accountId', 'transactionNo', 'amount', 'balanceAfter', 'paidIn'])
    .where('source', '=', source),
)

/**
 * An agent adjusts the balance of a direct sub-user (rules 2.14, 2.15); under `transfer` funding its own balance moves the other
 * way.
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, balance_below_zero (of the sub-user), insufficient_balance
 *   (of the agent), idempotency_conflict, validation_error
 */
export async function adjustSubUserBalance(
  deps: Essentials,
  actor: Actor,
  userId: number | undefined,
  input: z.input<typeof SubUserAdjustmentInput>,
): Promise<SubUserAdjustment> {
  const { remark, requestKey, ...change } = parseInput(SubUserAdjustmentInput, input)
  const amount = fromNumber(change.amount) ?? 0
  const request = { key: requestKey, kind: 'adjust_sub_user_balance', input: { userId, amount, remark } }
  // The number is kept longer than the key: an old button in a chat cannot move the money a second time.
  const number = requestKey ? numberFor('X', actor.id, requestKey) : undefined
  return once(deps, actor, request, async (tx) => {
    const change = { amount, remark, number, requestKey, alone: true }
    const adjusted = await adjustSubUserIn(deps, tx, actor, userId, change)
    return { ...adjusted, agentBalance: await balanceOf(tx, actor.id) }
  })
}

interface SubUserChange {
  readonly amount: Micros
  readonly remark: string | null
  /** Number of the transfer, which is made only once. */
  readonly number: string | undefined
  readonly requestKey: string | null | undefined
  /** Whether it is neither one of several adjustments nor the answer to a request for money. */
  readonly alone?: boolean
}

/** {@link adjustSubUserBalance} in the open transaction. */
export async function adjustSubUserIn(
  deps: Essentials,
  tx: Tx,
  actor: Actor,
  userId: number | undefined,
  { amount, remark, number, requestKey, alone = false }: SubUserChange,
): Promise<Omit<SubUserAdjustment, 'agentBalance' | 'replayed'>> {
  if (number && (await transferExists(tx, number)))
    throw new ServiceError('idempotency_conflict', { data: { idempotency_key: requestKey } })
  const words = remark === null ? systemRemark('adjusted_by_agent') : { remark }
  const { username } = await directSubUser(tx, actor, userId)
  const id = Number(userId)
  const adjusted = await adjustment(username, amount, () =>
    transferToSubUser(tx, deps.clock.now(), actor, id, amount, words, number),
  )
  if (amount > 0) await endOpenRequest(tx, deps.clock.now(), id)
  happened(tx, { ...toldOf(id, adjusted), remark, by: 'agent', agent: actor.username, actor, alone })
  return { ...adjusted, userId: id, remark: words.remark }
}

function toldOf(userId: number, { transactionNo: number, amount, newBalance: balance }: Adjustment) {
  return { kind: 'balance.adjusted', userId, number, amount, balance } as const
}

/** Books an adjustment; a deduction that the balance does not cover is refused as balance_below_zero (rules 2.15, 10.3). */
async function adjustment(
  username: string,
  amount: Micros,
  book: () => Promise<BookedEntry>,
): Promise<Adjustment> {
  try {
    const { transactionNo, balanceAfter } = await book()
    return { transactionNo, username, amount, oldBalance: balanceAfter - amount, newBalance: balanceAfter }
  } catch (error) {
    if (amount < 0 && error instanceof ServiceError && error.code === 'insufficient_balance')
      throw new ServiceError('balance_below_zero', { ...(error.data && { data: error.data }) })
    throw error
  }
}
