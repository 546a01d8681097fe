import type { Actor } from '../../../core/access/actor.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { ORDER_LIMITS } from '../../../core/orders/static-order-input.ts'
import { PURCHASE_STEPS } from '../../actions/buy.ts'
import type { Outcome, Question } from '../../dialogue/ask.ts'
import { someOf } from '../../kit/some-of.ts'
import { countIn } from '../../kit/typed-number.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { askScreen, elsewhereScreen } from './picker-screens.ts'
import { freeRanges, progressIn, purchaseScreenFor, takenAddresses } from './progress.ts'
import {
  type At,
  BUYING,
  changed,
  choosing,
  ofProduct,
  orderOf,
  type Purchase,
  purchaseDraft,
} from './purchase.ts'
import { maxOf } from './range-screens.ts'
import { rangeScreenFor, takeOfRange } from './ranges.ts'
import { maxCount, type Progress, sameTerm } from './steps.ts'
import { placeIn, understood } from './understood.ts'

/**
 * The conversation of a purchase: presses of its buttons and what is typed at its screens. Its state has only the id of the purchase
 * and what is asked; the purchase is in the chat's draft, from which a press resumes the conversation after a restart or an update.
 */
export const buying: Question<At> = {
  name: BUYING,
  presses: [PURCHASE_STEPS.action],
  prompt: async (ctx, actor, at) => {
    const purchase = await purchaseDraft.read(ctx)
    return purchase?.id === at.id ? screenAt(ctx, actor, purchase, at) : ctx.homeScreen()
  },
  answer: async (ctx, actor, at, text) => {
    const purchase = await purchaseDraft.read(ctx)
    const progress = purchase?.id === at.id && (await progressIn(ctx, actor, purchase))
    if (!purchase || !progress || purchase.orderNo !== undefined) return { screen: await ctx.homeScreen() }
    switch (at.asks) {
      case 'promo':
        return takePromoCode(ctx, actor, purchase, text)
      case 'project':
        return takeProject(ctx, actor, purchase, text)
      case 'range':
        return takeFromRange(ctx, actor, purchase, progress, at.range ?? '', text)
      default:
        return takeLine(ctx, actor, purchase, progress, text)
    }
  },
}

/** Shows the screen again at which something was typed. */
async function screenAt(ctx: BotContext, actor: Actor, purchase: Purchase, at: At): Promise<Screen> {
  const progress = await progressIn(ctx, actor, purchase)
  const { buy } = ctx.texts
  if (progress && at.asks === 'range') return rangeScreenFor(ctx, actor, purchase, at.range ?? '')
  if (progress && at.asks)
    return askScreen(
      viewOf(ctx),
      purchase,
      progress,
      at.asks === 'promo' ? 'promo' : 'project',
      at.asks === 'promo' ? buy.promo.question : buy.typeProject,
    )
  return purchaseScreenFor(ctx, actor, purchase)
}

async function takeLine(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  progress: Progress,
  text: string,
): Promise<Outcome> {
  const { buy } = ctx.texts
  const meant = understood(text, progress)
  if (!meant) {
    const all = progress.before.product
    const place = all && placeIn(halfWidth(text).trim(), all)
    return place
      ? { screen: elsewhereScreen(viewOf(ctx), purchase, all, place) }
      : { problem: buy.notUnderstood(text.slice(0, 40)) }
  }
  const show = async (next: Purchase) => ({ screen: await purchaseScreenFor(ctx, actor, next) })
  if ('count' in meant) {
    const max = maxCount(progress.offers)
    return meant.count >= 1 && meant.count <= max
      ? show(changed(purchase, { wanted: { count: meant.count } }))
      : { problem: buy.onlyLeft(max, ORDER_LIMITS.ips) }
  }
  if ('term' in meant) return show(choosing(purchase, 'term', meant.term))
  if ('project' in meant) return show(choosing(purchase, 'project', meant.project))
  if ('product' in meant)
    return show(ofProduct(purchase, { product: meant.product }, sameTerm(progress, meant.product)))
  if ('country' in meant) {
    const there = choosing(purchase, 'country', meant.country)
    return show(meant.city === undefined ? there : choosing(there, 'city', meant.city))
  }
  return takeAddresses(ctx, actor, purchase, progress, meant)
}

/** Takes a list of addresses. All of them must be free; otherwise those that are not are named. */
async function takeAddresses(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  progress: Progress,
  { ips, wrong }: { readonly ips: readonly string[]; readonly wrong: readonly string[] },
): Promise<Outcome> {
  const { addresses } = ctx.texts.buy
  if (!progress.offers[0].assignIpSupported) return { problem: addresses.notHere }
  if (wrong.length > 0) {
    const short = wrong.map((word) => word.slice(0, 45))
    return { problem: addresses.noAddress(wrong.length, someOf(short, ctx.texts)) }
  }
  if (ips.length > ORDER_LIMITS.ips) return { problem: addresses.tooMany(ips.length, ORDER_LIMITS.ips) }
  const taken = await takenAddresses(ctx, progress, ips)
  if (taken.length > 0) return { problem: addresses.notFree(taken.length, someOf(taken, ctx.texts)) }
  return {
    screen: await purchaseScreenFor(ctx, actor, changed(purchase, { wanted: { ips: [...ips] } })),
  }
}

/** Takes a promotion code, unless a quote of the order refuses it. */
async function takePromoCode(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  promoCode: string,
): Promise<Outcome> {
  const order = orderOf(purchase)
  if (order) await ctx.core.orders.quoteStatic(actor, { ...order, promoCode })
  return { screen: await purchaseScreenFor(ctx, actor, changed(purchase, { promoCode })) }
}

/** Takes the project of a shared product that has no list of projects. */
async function takeProject(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  project: string,
): Promise<Outcome> {
  if (project.length > ORDER_LIMITS.project) return { problem: ctx.texts.buy.projectTooLong }
  return { screen: await purchaseScreenFor(ctx, actor, choosing(purchase, 'project', project)) }
}

async function takeFromRange(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  progress: Progress,
  range: string,
  text: string,
): Promise<Outcome> {
  const free = (await freeRanges(ctx, progress)).find((each) => each.range === range)?.free ?? 0
  const max = maxOf(purchase, { range, free })
  const count = countIn(text) ?? 0
  return max > 0 && (count < 1 || count > max)
    ? { problem: ctx.texts.buy.onlyLeft(max, ORDER_LIMITS.ips) }
    : { screen: await takeOfRange(ctx, actor, purchase, range, count) }
}
