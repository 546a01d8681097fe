import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import type { Micros } from '../money.ts'
import type { UsablePromoCode } from './promo-code.ts'
import { notUsable } from './promo-refusals.ts'

interface Redeemed {
  readonly promo: UsablePromoCode | null
  readonly discount: Micros
  readonly orderNo: string
  /** Who pays. */
  readonly userId: number
}

/**
 * Counts a use of a code, in the transaction of the purchase (rules 13.11); nothing without a code.
 *
 * @throws promo_code_not_usable when it has no use left
 */
export async function redeemPromoCode(
  tx: Tx,
  now: Date,
  { promo, discount, orderNo, userId }: Redeemed,
): Promise<void> {
  if (!promo) return
  const [counted] = await countUse(tx, { id: promo.id })
  if (!counted) throw notUsable('used_up')
  await insertUse(tx, { codeId: promo.id, orderNo, userId, discount, createdAt: now })
}

/** Gives back the use of a code in a purchase that came to nothing, if it had one (rules 13.11). */
export async function returnPromoUse(tx: Tx, now: Date, orderNo: string): Promise<void> {
  const [use] = await setReturned(tx, { orderNo, now })
  if (use) await uncountUse(tx, { id: use.codeId })
}

const countUse = compiled<{ id: number }>()((db, { id }) =>
  db
    .updateTable('promoCodes')
    .set(({ eb }) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', id)
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
