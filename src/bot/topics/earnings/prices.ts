import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import type { PlannedPrice } from '../../../core/earnings/replace-agent-prices.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import { ask, nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Html } from '../../texts/html.ts'
import { priceBook, type PriceScope, priceTarget, readPrice } from './price-book.ts'
import { confirmPricePrompt, pricedUsersScreen, pricePrompt, pricesScreen } from './price-screens.ts'

/** What an agent's sub-users pay (rules 13.1). */
export function pricesFeature(): Feature {
  const feature = new Feature()
  feature.onMember(EARNINGS.prices, (ctx, actor, { page, userId }) => pricesFor(ctx, actor, userId, page))
  feature.onMember(EARNINGS.pricedUsers, async (ctx, actor, { page }) =>
    pricedUsersScreen(viewOf(ctx), (await priceBook(ctx, actor, undefined)).pricedUsers, page),
  )
  feature.onMember(
    EARNINGS.setPrice,
    async (ctx, actor, scope) => {
      requireAgent(actor)
      await ask(ctx, whichPrice, scope)
      return undefined
    },
    (ctx, actor) => pricesFor(ctx, actor),
  )
  feature.onMember(
    EARNINGS.markUp,
    async (ctx, actor, { percent, userId }) => {
      requireAgent(actor)
      const planned = [{ markupPercent: percent ?? 0 }]
      await ctx.core.earnings.checkPrices(actor, namesOf({ userId }, undefined), planned)
      await ask(ctx, confirmPrice, { userId, planned })
      return undefined
    },
    (ctx, actor) => pricesFor(ctx, actor),
  )
  feature.onMember(
    EARNINGS.removePrice,
    async (ctx, actor, scope) => {
      const { product } = await priceTarget(ctx, actor, scope)
      await ctx.core.earnings.replacePrices(actor, namesOf(scope, product), [])
      return pricesFor(ctx, actor, scope.userId, 1, ctx.texts.earnings.prices.removed)
    },
    (ctx, actor) => pricesFor(ctx, actor),
  )
  return feature
}

/** @param note what has just been done */
async function pricesFor(
  ctx: BotContext,
  actor: Actor,
  userId?: number,
  page = 1,
  note?: Html,
): Promise<Screen> {
  return pricesScreen(viewOf(ctx), await priceBook(ctx, actor, userId), page, note)
}

/** Returns the scope in the terms of the core. */
function namesOf({ userId }: PriceScope, product: { readonly productNo: string } | undefined) {
  return { userId: userId ?? null, productNo: product?.productNo ?? null }
}

/** A markup or fixed prices; the usual markups are buttons. */
const whichPrice: Question<PriceScope> = {
  name: 'earnings.price',
  prompt: async (ctx, actor, scope) => pricePrompt(viewOf(ctx), await priceTarget(ctx, actor, scope), scope),
  answer: takePrice,
  choose: takePrice,
}

async function takePrice(ctx: BotContext, actor: Actor, scope: PriceScope, text: string): Promise<Outcome> {
  const { notPrice, notMarkup } = ctx.texts.earnings.prices
  const ofProduct = scope.productId !== undefined
  const planned = readPrice(text, ofProduct, ctx.core.currency)
  if (!planned) return { problem: ofProduct ? notPrice : notMarkup }
  // Checked here, so that a refusal of the core asks this question again.
  const target = await priceTarget(ctx, actor, scope)
  await ctx.core.earnings.checkPrices(actor, namesOf(scope, target.product), planned)
  return nextQuestion(confirmPrice, { ...scope, planned })
}

/** The confirmation, by the button only. */
const confirmPrice: Question<PriceScope & { readonly planned: readonly PlannedPrice[] }> = {
  name: 'earnings.price.confirm',
  prompt: async (ctx, actor, { planned, ...scope }) =>
    confirmPricePrompt(viewOf(ctx), await priceTarget(ctx, actor, scope), planned),
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: async (ctx, actor, { planned, ...scope }) => {
    const { product } = await priceTarget(ctx, actor, scope)
    await ctx.core.earnings.replacePrices(actor, namesOf(scope, product), planned)
    return { screen: await pricesFor(ctx, actor, scope.userId, 1, ctx.texts.earnings.prices.done) }
  },
}

export const priceQuestions = [whichPrice, confirmPrice]
