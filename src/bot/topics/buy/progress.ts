import type { Actor } from '../../../core/access/actor.ts'
import { type ErrorCode, ServiceError } from '../../../core/errors.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import type { StaticOrderInput } from '../../../core/orders/static-order-input.ts'
import { PURCHASE_STEPS } from '../../actions/buy.ts'
import type { Screen } from '../../kit/screen.ts'
import { someOf } from '../../kit/some-of.ts'
import type { BotContext } from '../../session/context.ts'
import { resumeOf, waitingForMoney } from '../../session/draft.ts'
import { viewOf } from '../../session/view-of.ts'
import { html, type Html } from '../../texts/html.ts'
import { acceptedScreen } from '../orders/order-screen.ts'
import { pickerScreen, soldOutScreen } from './picker-screens.ts'
import { promoProblem } from '../orders/promo.ts'
import { purchaseScreen } from './purchase-screen.ts'
import { changed, orderOf, type Purchase, purchaseDraft, type Wanted, withoutPromo } from './purchase.ts'
import type { FreeRange } from './range-screens.ts'
import { forSale, maxCount, type Offers, type Progress, progressOf } from './steps.ts'

/** Returns the offers for whoever gets the proxies; undefined when there are none. */
export async function offersFor(
  { core }: BotContext,
  actor: Actor,
  { userId }: Purchase,
): Promise<Offers | undefined> {
  const [first, ...others] = forSale(await core.catalog.query(actor, { userId }))
  return first && [first, ...others]
}

/** Works out how far a purchase has come, by the current catalogue; undefined when nothing at all is for sale. */
export async function progressIn(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
): Promise<Progress | undefined> {
  const offers = await offersFor(ctx, actor, purchase)
  return offers && progressOf(purchase, offers)
}

/** The ranges from which a purchase may choose. */
export async function freeRanges({ core }: BotContext, { chosen }: Progress): Promise<FreeRange[]> {
  const { product, country, city } = chosen
  const items = await core.catalog.ipRanges({
    ...(product && { productNo: product }),
    ...(country && { countryCode: country }),
    ...(city && { cityCode: city }),
  })
  // A range may lie in several cities.
  const free = new Map<string, number>()
  for (const { ipRange, stock } of items.flatMap(({ ipRanges }) => ipRanges))
    free.set(ipRange, (free.get(ipRange) ?? 0) + stock)
  return [...free].map(([range, count]) => ({ range, free: count }))
}

/** Returns the addresses that are not free for the product in the chosen place. */
export async function takenAddresses(
  { core }: BotContext,
  progress: Progress,
  ips: readonly string[],
): Promise<string[]> {
  const free = await core.catalog.freeAddresses(placeIn(progress), ips)
  return ips.filter((ip) => !free.has(ip))
}

/** The product and the place in which a purchase names addresses. */
export function placeIn({ chosen: { product = '', country, city } }: Progress) {
  return { productNo: product, countryCode: country, cityCode: city }
}

/**
 * Shows a purchase and stores it in the draft exactly as shown; or the list of a choice that is missing or not for sale any more; or,
 * once it is paid, its order.
 *
 * @param note what the person should know
 */
export async function purchaseScreenFor(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  note?: Html,
): Promise<Screen> {
  const view = viewOf(ctx)
  if (purchase.orderNo !== undefined)
    return acceptedScreen(
      view,
      await ctx.core.orders.getStatic(actor, { orderNo: purchase.orderNo }),
      actor.id,
    )
  const progress = await progressIn(ctx, actor, purchase)
  if (!progress) return soldOutScreen(view)
  if (progress.step !== undefined) {
    await purchaseDraft.write(ctx, purchase)
    return pickerScreen(view, purchase, progress, progress.step, 1)
  }
  const { wanted, lacking } = await stillFree(ctx, progress, purchase.wanted ?? { count: 1 })
  // Defaults are stored as well, so that exactly what is shown is paid.
  const complete = { ...purchase, chosen: progress.chosen, wanted }
  const shown = JSON.stringify(complete) === JSON.stringify(purchase) ? purchase : changed(complete, {})
  const order = lacking?.blocks ? undefined : orderOf(shown)
  const quote = order && (await quoteOf(ctx, actor, order))
  if (typeof quote === 'string') return purchaseScreenFor(ctx, actor, withoutPromo(shown), html`⚠️ ${quote}`)
  // The sub-user may have been renamed meanwhile, and somebody else may have its old name.
  const named = shown.forUser === undefined || !quote ? shown : { ...shown, forUser: quote.username }
  const resume = quote && resumeOf(quote, PURCHASE_STEPS.data(named, 'confirm'), named.userId)
  await purchaseDraft.write(ctx, named, resume)
  const remark = note ?? lacking?.note ?? (quote ? undefined : ctx.texts.buy.gone)
  return waitingForMoney(purchaseScreen(view, named, progress, wanted, quote, remark), resume)
}

/** @returns the quote; undefined when somebody else was faster; a text when something is wrong with the promotion code */
async function quoteOf(
  ctx: BotContext,
  actor: Actor,
  order: StaticOrderInput,
): Promise<Quote | string | undefined> {
  try {
    return await ctx.core.orders.quoteStatic(actor, order)
  } catch (error) {
    const problem = order.promoCode ? promoProblem(ctx, error) : undefined
    if (problem !== undefined) return problem
    const gone = error instanceof ServiceError && GONE.has(error.code)
    if (!gone) throw error
    return undefined
  }
}

const GONE: ReadonlySet<ErrorCode> = new Set(['out_of_stock', 'assigned_ip_unavailable'])

/** What is left of what was wanted. */
interface StillFree {
  readonly wanted: Wanted
  /** Says what is not free any more; with `blocks`, it must be chosen again before the payment. */
  readonly lacking?: { readonly note: Html; readonly blocks: boolean }
}

async function stillFree(ctx: BotContext, progress: Progress, wanted: Wanted): Promise<StillFree> {
  const { buy } = ctx.texts
  if ('count' in wanted)
    return wanted.count > maxCount(progress.offers)
      ? { wanted, lacking: { note: buy.gone, blocks: true } }
      : { wanted }
  if ('ips' in wanted) {
    const taken = await takenAddresses(ctx, progress, wanted.ips)
    const note = buy.addresses.gone(someOf(taken, ctx.texts))
    return taken.length === 0 ? { wanted } : { wanted, lacking: { note, blocks: true } }
  }
  if (wanted.blocks.length === 0) return { wanted: { count: 1 } }
  const ranges = await freeRanges(ctx, progress)
  const left = wanted.blocks.flatMap(({ cidr, count }) => {
    const free = ranges.find(({ range }) => range === cidr)?.free ?? 0
    return free > 0 ? [{ cidr, count: Math.min(count, free) }] : []
  })
  if (left.length > 0 && JSON.stringify(left) === JSON.stringify(wanted.blocks)) return { wanted }
  return {
    wanted: left.length > 0 ? { blocks: left } : { count: 1 },
    lacking: { note: buy.gone, blocks: false },
  }
}
