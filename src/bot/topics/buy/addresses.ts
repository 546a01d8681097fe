import type { Actor } from '../../../core/access/actor.ts'
import { ORDER_LIMITS } from '../../../core/orders/static-order-input.ts'
import { ipAddress } from '../../../core/ip-address.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { ADDRESSES_PER_PAGE, addressesScreen } from './address-screens.ts'
import { placeIn, progressIn, purchaseScreenFor } from './progress.ts'
import { addressesIn, changed, type Purchase, purchaseDraft } from './purchase.ts'

/** Shows the free addresses for a purchase, or the purchase itself where no address can be chosen. */
export async function addressesScreenFor(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  page: number,
): Promise<Screen> {
  const progress = await progressIn(ctx, actor, purchase)
  if (!progress || progress.step !== undefined || !progress.offers[0].assignIpSupported)
    return purchaseScreenFor(ctx, actor, purchase)
  const free = await ctx.core.catalog.listFreeAddresses(placeIn(progress), {
    page,
    pageSize: ADDRESSES_PER_PAGE,
  })
  return addressesScreen(viewOf(ctx), purchase, progress, free)
}

/** Ticks or unticks an address. Whether it is free is checked when the purchase is shown. */
export async function tick(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  address: string,
  page: number,
): Promise<Screen> {
  const ip = ipAddress().safeParse(address).data
  const ticked = addressesIn(purchase)
  const others = ticked.filter((each) => each !== ip)
  const ips = ip === undefined || others.length < ticked.length ? others : [...others, ip]
  if (ips.length > ORDER_LIMITS.ips) {
    await ctx.notify(ctx.texts.buy.addresses.tooMany(ips.length, ORDER_LIMITS.ips), true)
    return addressesScreenFor(ctx, actor, purchase, page)
  }
  const next = changed(purchase, { wanted: ips.length > 0 ? { ips } : { count: 1 } })
  await purchaseDraft.write(ctx, next)
  return addressesScreenFor(ctx, actor, next, page)
}
