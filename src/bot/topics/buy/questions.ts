import type { Actor } from '../../../core/access.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { ipAddress } from '../../../core/ip-address.ts'
import { ORDER_LIMITS } from '../../../core/orders/static-order-input.ts'
import type { Outcome, Question } from '../../dialogue/ask.ts'
import type { Html } from '../../kit/html.ts'
import { wholeNumber } from '../../kit/parameters.ts'
import { someOf } from '../../kit/some-of.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { PURCHASE_STEPS } from './actions.ts'
import { freeIn, progressIn, purchaseConfirmScreen, purchaseScreen, takenAddresses } from './progress.ts'
import { backTo, BUY_QUESTION, changed, orderOf, type Purchase, purchaseDraft } from './purchase.ts'
import { maxOf } from './range-screens.ts'
import { takeOfRange } from './ranges.ts'
import { purchasePrompt } from './step-screens.ts'
import { maxCount, type Progress } from './steps.ts'

/** What a purchase's question keeps; the purchase itself is in the draft. */
interface Asked {
  /** Of the purchase. */
  readonly id: string
}

interface Asking {
  readonly purchase: Purchase
  readonly progress: Progress
}

/**
 * A question about the purchase under way. When that is another one by now, or nothing is for sale any more, it is over.
 *
 * @param cancel what its Cancel button does to the purchase: callback data
 */
function purchaseQuestion<State extends Asked>(
  name: string,
  prompt: (ctx: BotContext, asking: Asking, state: State) => Html | Promise<Html>,
  cancel: (state: State) => string,
  answer: (ctx: BotContext, actor: Actor, asking: Asking, text: string, state: State) => Promise<Outcome>,
): Question<State> {
  const find = async (ctx: BotContext, actor: Actor, { id }: Asked): Promise<Asking | undefined> => {
    const purchase = await purchaseDraft.read(ctx)
    if (purchase?.id !== id) return undefined
    const progress = await progressIn(ctx, actor, purchase)
    return progress && { purchase, progress }
  }
  return {
    name,
    prompt: async (ctx, actor, state) => {
      const asking = await find(ctx, actor, state)
      if (!asking) return ctx.homeScreen()
      const { purchase, progress } = asking
      return purchasePrompt(viewOf(ctx), purchase, progress, await prompt(ctx, asking, state), cancel(state))
    },
    answer: async (ctx, actor, state, text) => {
      const asking = await find(ctx, actor, state)
      return asking ? answer(ctx, actor, asking, text, state) : { screen: await ctx.homeScreen() }
    },
  }
}

/** How many proxies; the buttons offer the usual numbers. */
export const howMany = purchaseQuestion<Asked>(
  BUY_QUESTION.howMany,
  (ctx, { progress }) => ctx.texts.buy.typeNumber(maxCount(progress.offers)),
  (asked) => PURCHASE_STEPS.data(asked, 'numbers'),
  async (ctx, actor, { purchase, progress }, text) => {
    const max = maxCount(progress.offers)
    const count = wholeNumberTo(text, max)
    if (count === undefined) return { problem: ctx.texts.buy.notANumber(text.slice(0, 40), max) }
    return { screen: await purchaseConfirmScreen(ctx, actor, changed(purchase, { wanted: { count } })) }
  },
)

/** How many proxies of one range. */
export const howManyOfRange = purchaseQuestion<Asked & { readonly range: string }>(
  BUY_QUESTION.howManyOfRange,
  async (ctx, asking, { range }) =>
    ctx.texts.buy.ranges.typeNumber(range, await maxOfRange(ctx, asking, range)),
  (asked) => PURCHASE_STEPS.data(asked, 'range', { range: asked.range }),
  async (ctx, actor, asking, text, { range }) => {
    const max = await maxOfRange(ctx, asking, range)
    const count = wholeNumberTo(text, max)
    if (max > 0 && count === undefined) return { problem: ctx.texts.buy.notANumber(text.slice(0, 40), max) }
    return { screen: await takeOfRange(ctx, actor, asking.purchase, range, count ?? 0) }
  },
)

/** Which addresses exactly: all of them have to be free, and those that are not are named. */
export const exactAddresses = purchaseQuestion<Asked>(
  'buy.addresses',
  (ctx) => ctx.texts.buy.addresses.question(ORDER_LIMITS.ips),
  (asked) => PURCHASE_STEPS.data(asked, 'numbers'),
  async (ctx, actor, { purchase, progress }, text) => {
    const { addresses } = ctx.texts.buy
    const typed = [
      ...new Set(
        halfWidth(text)
          .split(/[\s,;\u3001]+/)
          .filter((each) => each !== ''),
      ),
    ]
    const parsed = typed.map((each) => ({ each, ip: ipAddress().safeParse(each).data }))
    const wrong = parsed.filter(({ ip }) => ip === undefined).map(({ each }) => each.slice(0, 45))
    if (wrong.length > 0) return { problem: addresses.noAddress(wrong.length, someOf(wrong, ctx.texts)) }
    const ips = [...new Set(parsed.flatMap(({ ip = [] }) => ip))]
    if (ips.length > ORDER_LIMITS.ips) return { problem: addresses.tooMany(ips.length, ORDER_LIMITS.ips) }
    const taken = await takenAddresses(ctx, progress, ips)
    if (taken.length > 0) return { problem: addresses.notFree(taken.length, someOf(taken, ctx.texts)) }
    return { screen: await purchaseConfirmScreen(ctx, actor, changed(purchase, { wanted: { ips } })) }
  },
)

/** For which project, where the shared product does not list any. */
export const whichProject = purchaseQuestion<Asked>(
  'buy.project',
  (ctx) => ctx.texts.buy.typeProject,
  (asked) => PURCHASE_STEPS.data(asked, 'back', { to: 'project' }),
  async (ctx, actor, { purchase }, text) => {
    if (text.length > ORDER_LIMITS.project) return { problem: ctx.texts.buy.projectTooLong }
    const before = backTo(purchase, 'project')
    const next = changed(before, { chosen: { ...before.chosen, project: text } })
    await purchaseDraft.write(ctx, next)
    return { screen: await purchaseScreen(ctx, actor, next) }
  },
)

/** A promotion code, which the order must take. */
export const whichPromoCode = purchaseQuestion<Asked>(
  'buy.promo',
  (ctx) => ctx.texts.buy.promo.question,
  (asked) => PURCHASE_STEPS.data(asked, 'confirm'),
  async (ctx, actor, { purchase }, promoCode) => {
    const order = orderOf(purchase)
    if (order) await ctx.core.orders.quoteStatic(actor, { ...order, promoCode })
    return { screen: await purchaseConfirmScreen(ctx, actor, changed(purchase, { promoCode })) }
  },
)

async function maxOfRange(ctx: BotContext, { purchase, progress }: Asking, range: string): Promise<number> {
  return maxOf(purchase, { range, free: await freeIn(ctx, progress, range) })
}

/** A whole number from 1 to a maximum; undefined for anything else. */
function wholeNumberTo(text: string, max: number): number | undefined {
  const number = wholeNumber.schema.parse(halfWidth(text)) ?? 0
  return number >= 1 && number <= max ? number : undefined
}

export const purchaseQuestions = [howMany, howManyOfRange, exactAddresses, whichProject, whichPromoCode]
