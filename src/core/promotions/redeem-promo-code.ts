import type { OrderType } from '../../generated/prisma/client.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { type Micros, shareOf } from '../money.ts'
import type { Discounted } from './discount.ts'
import { notUsable } from './promo-refusals.ts'

interface Redeemed extends Pick<Discounted, 'promo' | 'discount' | 'agentPaid'> {
  readonly orderType: OrderType
  readonly orderNo: string
  /** Who pays. */
  readonly userId: number
  /** The account that buys. */
  readonly operatorId: number
}

/**
 * Counts a use of a code, in the transaction of the purchase (rules 13.11), and books what the balance of its agent pays (rules 13.16);
 * nothing without a code.
 *
 * @throws promo_code_not_usable when it has no use left, or less than that is left of its limit or of the balance
 */
export async function redeemPromoCode(
  tx: Tx,
  now: Date,
  { promo, discount, agentPaid, orderType, orderNo, userId, operatorId }: Redeemed,
): Promise<void> {
  if (!promo) return
  const [counted] = await countUse(tx, { id: promo.id, agentPaid })
  if (!counted) throw notUsable('used_up')
  await insertUse(tx, { codeId: promo.id, orderNo, userId, discount, agentPaid, createdAt: now })
  if (agentPaid === 0 || promo.agentId === null) return
  try {
    await bookEntry(tx, now, {
      accountId: promo.agentId,
      type: 'promotion',
      amount: -agentPaid,
      source: `promo:${orderNo}`,
      orderType,
      orderNo,
      operatorId,
      remark: promo.code,
    })
  } catch (error) {
    // What the agent has is not for its sub-users to read.
    if (error instanceof ServiceError) throw notUsable('used_up')
    throw error
  }
}

interface Returned {
  readonly orderNo: string
  readonly amount: Micros
  /** The source of the refund that it belongs to. */
  readonly source: string
  /** The account that caused it; null for the operator and the service. */
  readonly operatorId: number | null
}

/**
 * Gives back to the agent what its balance has paid of a purchase, with the refund of it, and to the limit of the code (rules 13.16). As
 * large a part of it is money that came in as of what was paid (rules 13.14).
 */
export async function returnToAgent(
  tx: Tx,
  now: Date,
  { orderNo, amount, source, operatorId }: Returned,
): Promise<void> {
  if (amount === 0) return
  const [paid] = await findPaid(tx, { orderNo })
  const [use] = await addReturned(tx, { orderNo, amount })
  if (!use || !paid) throw new Error(`the agent has not paid so much of ${orderNo}`)
  await lowerUsed(tx, { id: use.codeId, amount })
  const { agentId: accountId, code: remark, orderType } = paid
  await bookEntry(tx, now, {
    accountId,
    type: 'promotion',
    amount,
    paidIn: shareOf(-paid.paidIn, amount, -paid.amount),
    source: `promo-${source}`,
    orderType: orderType as OrderType,
    orderNo,
    operatorId,
    remark,
  })
}

/** Gives back the use of a code in a purchase that came to nothing, if it had one (rules 13.11). */
export async function returnPromoUse(tx: Tx, now: Date, orderNo: string): Promise<void> {
  const [use] = await setReturned(tx, { orderNo, now })
  if (use) await uncountUse(tx, { id: use.codeId })
}

const countUse = compiled<{ id: number; agentPaid: Micros }>()((db, { id, agentPaid }) =>
  db
    .updateTable('promoCodes')
    .set(({ eb }) => ({ uses: eb('uses', '+', 1), balanceUsed: eb('balanceUsed', '+', agentPaid) }))
    .where('id', '=', id)
    .where(({ eb, fn, lit }) =>
      eb(eb('balanceUsed', '+', agentPaid), '<=', fn.coalesce('balanceLimit', lit(0))),
    )
    .where(({ eb, or, ref }) => or([eb('maxUses', 'is', null), eb('uses', '<', ref('maxUses'))]))
    .where('stoppedAt', 'is', null)
    .returning('id'),
)

const insertUse = compiledInsert('promoUses')

const setReturned = compiled<{ orderNo: string; now: Date }>()((db, { orderNo, now }) =>
  db
    .updateTable('promoUses')
    .set({ returnedAt: now })
    .where('orderNo', '=', orderNo)
    .where('returnedAt', 'is', null)
    .returning('codeId'),
)

const uncountUse = compiled<{ id: number }>()((db, { id }) =>
  db
    .updateTable('promoCodes')
    .set(({ eb }) => ({ uses: eb('uses', '-', 1) }))
    .where('id', '=', id),
)

/** What the balance of an agent has paid of an order, and has not come back. */
const findPaid = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('promoUses as u')
    .innerJoin('promoCodes as c', 'c.id', 'u.codeId')
    .innerJoin('ledgerEntries as e', (on) =>
      on.onRef('e.orderNo', '=', 'u.orderNo').onRef('e.accountId', '=', 'c.agentId'),
    )
    .where('u.orderNo', '=', orderNo)
    .where('e.type', '=', 'promotion')
    .groupBy(['c.agentId', 'c.code', 'e.orderType'])
    .select(({ fn, lit, ref }) => [
      ref('c.agentId').$notNull().as('agentId'),
      'c.code',
      'e.orderType',
      fn.sum<number>('e.amount').as('amount'),
      fn.coalesce(fn.sum<number>('e.paidIn'), lit(0)).as('paidIn'),
    ]),
)

const addReturned = compiled<{ orderNo: string; amount: Micros }>()((db, { orderNo, amount }) =>
  db
    .updateTable('promoUses')
    .set(({ eb }) => ({ agentReturned: eb('agentReturned', '+', amount) }))
    .where('orderNo', '=', orderNo)
    .where(({ eb, ref }) => eb(eb('agentReturned', '+', amount), '<=', ref('agentPaid')))
    .returning('codeId'),
)

const lowerUsed = compiled<{ id: number; amount: Micros }>()((db, { id, amount }) =>
  db
    .updateTable('promoCodes')
    .set(({ eb }) => ({ balanceUsed: eb('balanceUsed', '-', amount) }))
    .where('id', '=', id),
)
