import type { Actor } from '../../../core/access/actor.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { offersFor, purchaseScreenFor } from './progress.ts'
import { changed, choosing, type Purchase, Remembered, remembered } from './purchase.ts'
import { maxCount, type Offers, progressOf } from './steps.ts'

/** Begins a purchase with what the person bought last (rules 5.26). */
export function startPurchase(ctx: BotContext, actor: Actor, purchase: Purchase): Promise<Screen> {
  return startWith(ctx, actor, purchase, undefined)
}

/**
 * Begins a purchase of a product with what the person bought last of it.
 *
 * @param productNo undefined for the product of the last purchase
 */
export async function startWith(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  productNo: string | undefined,
): Promise<Screen> {
  const offers = await offersFor(ctx, actor, purchase)
  const habits = await ctx.core.accounts.habits(actor, 'static')
  const known = habits.find(
    (habit) =>
      (productNo === undefined || habit.productNo === productNo) &&
      offers?.some((offer) => offer.productNo === habit.productNo),
  )
  const last = Remembered.safeParse(known?.choice).data
  const begun = productNo === undefined ? purchase : choosing(purchase, 'product', productNo)
  return purchaseScreenFor(ctx, actor, last && offers ? asBefore(begun, last, offers) : begun)
}

/** Remembers a purchase that was paid. */
export async function keepPurchase(ctx: BotContext, actor: Actor, purchase: Purchase): Promise<void> {
  const { product } = purchase.chosen
  if (product === undefined) return
  await ctx.core.accounts.keepHabit(actor, 'static', { productNo: product, choice: remembered(purchase) })
}

/** The purchase as it was the last time, as far as that is still for sale. */
function asBefore(
  purchase: Purchase,
  { chosen, count, autoRenew }: ReturnType<typeof remembered>,
  offers: Offers,
): Purchase {
  const wanted = { ...chosen }
  for (;;) {
    const next = changed(purchase, { chosen: wanted, autoRenew })
    const { gone, step, offers: left } = progressOf(next, offers)
    if (!gone || step === undefined)
      return { ...next, wanted: { count: Math.max(Math.min(count, maxCount(left)), 1) } }
    delete wanted[step]
  }
}
