import type { Actor } from '../../../core/access.ts'
import { type ErrorCode, ServiceError } from '../../../core/errors.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import type { StaticOrderInput } from '../../../core/orders/static-order-input.ts'
import { html, type Html, lines } from '../../kit/html.ts'
import type { Screen } from '../../kit/screen.ts'
import { someOf } from '../../kit/some-of.ts'
import type { BotContext } from '../../session/context.ts'
import { resumeOf, waitingForMoney } from '../../session/draft.ts'
import { viewOf } from '../../session/view-of.ts'
import { acceptedScreen } from '../orders/order-screen.ts'
import { PURCHASE_STEPS } from './actions.ts'
import { confirmScreen } from './confirm-screen.ts'
import { promoProblem } from './promo.ts'
import { changed, orderOf, type Purchase, purchaseDraft, type Wanted, withoutPromo } from './purchase.ts'
import { type FreeRange, rangesScreen } from './range-screens.ts'
import { numbersScreen, soldOutScreen, stepScreen } from './step-screens.ts'
import { forSale, maxCount, type Progress, progressOf, RULES } from './steps.ts'

/** A purchase as far as it has come, with the catalogue of this moment; undefined when nothing at all is for sale. */
export async function progressIn(
  { core }: BotContext,
  actor: Actor,
  purchase: Purchase,
): Promise<Progress | undefined> {
  const [first, ...others] = forSale(await core.catalog.query(actor, { userId: purchase.userId }))
  return first && progressOf(purchase, [first, ...others])
}

/**
 * What a purchase asks next. What was chosen is checked against the catalogue of this moment; what is not for sale any more has
 * to be chosen again.
 *
 * @param page of a list
 */
export async function purchaseScreen(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  page = 1,
): Promise<Screen> {
  const view = viewOf(ctx)
  const progress = await progressIn(ctx, actor, purchase)
  if (!progress) return soldOutScreen(view)
  const { step, offers } = progress
  if (step === undefined) return numbersScreen(view, purchase, progress)
  return stepScreen(view, purchase, step, { options: RULES[step].options(offers), progress, page })
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

/** How many are free in a range from which a purchase may choose. */
export async function freeIn(ctx: BotContext, progress: Progress, range: string): Promise<number> {
  return (await freeRanges(ctx, progress)).find((each) => each.range === range)?.free ?? 0
}

/** Those of the addresses that are not free for the product in the place. */
export async function takenAddresses(
  { core }: BotContext,
  { chosen: { product = '', country, city } }: Progress,
  ips: readonly string[],
): Promise<string[]> {
  const free = await core.catalog.freeAddresses(
    { productNo: product, countryCode: country, cityCode: city },
    ips,
  )
  return ips.filter((ip) => !free.has(ip))
}

/**
 * The last screen before the payment, with the purchase kept as it is shown there; or what has to be chosen again first, because
 * it was not complete, or is not free any more. Of a purchase that is paid, its order.
 */
export async function purchaseConfirmScreen(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
): Promise<Screen> {
  const view = viewOf(ctx)
  const { orderNo, wanted } = purchase
  if (orderNo !== undefined)
    return acceptedScreen(view, await ctx.core.orders.getStatic(actor, { orderNo }), actor.id)
  const progress = await progressIn(ctx, actor, purchase)
  if (!progress || progress.step !== undefined || !wanted) return purchaseScreen(ctx, actor, purchase)

  const lacking = await lackingScreen(ctx, purchase, progress, wanted)
  if (lacking) return lacking
  // What had only one choice is stored as well, so that exactly what is shown is paid.
  const complete = { ...purchase, chosen: progress.chosen }
  const order = orderOf(complete)
  if (!order) return numbersScreen(view, purchase, progress)
  const shown = JSON.stringify(complete) === JSON.stringify(purchase) ? purchase : changed(complete, {})
  const quote = await quoteOf(ctx, actor, order)
  if (typeof quote === 'string')
    return noted(await purchaseConfirmScreen(ctx, actor, withoutPromo(shown)), html`⚠️ ${quote}`)
  if (!quote) return noted(numbersScreen(view, shown, progress), ctx.texts.buy.gone)
  // The sub-user may have got another name meanwhile, and somebody else this one.
  const named = shown.forUser === undefined ? shown : { ...shown, forUser: quote.username }
  const resume = resumeOf(quote, PURCHASE_STEPS.data(named, 'confirm'), named.userId)
  await purchaseDraft.write(ctx, named, resume)
  return waitingForMoney(confirmScreen(view, named, progress, wanted, quote), resume)
}

/** @returns nothing when somebody else has just bought what is asked for; what is wrong with the promotion code, if it names one */
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

/** Where to choose again because something that was chosen is not free any more. */
async function lackingScreen(
  ctx: BotContext,
  purchase: Purchase,
  progress: Progress,
  wanted: Wanted,
): Promise<Screen | undefined> {
  const view = viewOf(ctx)
  const { texts } = ctx
  if ('count' in wanted)
    return wanted.count > maxCount(progress.offers)
      ? noted(numbersScreen(view, purchase, progress), texts.buy.gone)
      : undefined
  if ('ips' in wanted) {
    const taken = await takenAddresses(ctx, progress, wanted.ips)
    return taken.length === 0
      ? undefined
      : noted(numbersScreen(view, purchase, progress), texts.buy.addresses.gone(someOf(taken, texts)))
  }
  const ranges = await freeRanges(ctx, progress)
  const left = wanted.blocks.flatMap(({ cidr, count }) => {
    const free = ranges.find(({ range }) => range === cidr)?.free ?? 0
    return free > 0 ? [{ cidr, count: Math.min(count, free) }] : []
  })
  if (left.length > 0 && JSON.stringify(left) === JSON.stringify(wanted.blocks)) return undefined
  const reduced = changed(purchase, { wanted: { blocks: left } })
  await purchaseDraft.write(ctx, reduced)
  return noted(rangesScreen(view, reduced, progress, ranges, 1), texts.buy.gone)
}

function noted(screen: Screen, note: Html): Screen {
  return { ...screen, text: lines(screen.text, '', note) }
}
