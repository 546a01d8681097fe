import { ServiceError } from '../../../core/errors.ts'
import type { ListedReplacement } from '../../../core/orders/list-replacements.ts'
import type { Replacement } from '../../../core/orders/replacement.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { ask, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { errorText } from '../../kit/errors.ts'
import { pageOf } from '../../kit/pager.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { html } from '../../texts/html.ts'
import {
  decidedScreen,
  declineScreen,
  noneFreeScreen,
  REPLACEMENTS_PER_PAGE,
  replacementsScreen,
  wishScreen,
} from './replacement-screens.ts'

/** Wishes for another proxy that need a decision: the operator allows or declines them. */
export function replacementsFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(OPERATOR.replacements, (ctx, { page }) => showReplacements(ctx, page))
  feature.on(OPERATOR.replacement, async (ctx, { number }) => {
    const wish = await findWish(ctx, number)
    return wish ? ctx.show(wishScreen(viewOf(ctx), wish)) : gone(ctx)
  })
  feature.on(OPERATOR.allow, (ctx, { number }) => allow(ctx, number, false))
  feature.on(OPERATOR.refundRest, (ctx, { number }) => allow(ctx, number, true))
  feature.on(OPERATOR.decline, async (ctx, { number }) => {
    const wish = await findWish(ctx, number)
    return wish ? ask(ctx, whyNot, { number: wish.replacementNo }) : gone(ctx)
  })
  return feature
}

async function showReplacements(ctx: BotContext, wanted = 1): Promise<unknown> {
  const open = await ctx.core.operator.replacements.list({ open: true })
  const waiting = open.filter(({ status }) => status === 'requested')
  return ctx.show(
    replacementsScreen(viewOf(ctx), pageOf(waiting, wanted, REPLACEMENTS_PER_PAGE), waiting.length),
  )
}

/** Finds a wish that waits for a decision; undefined when it is decided or unknown. */
async function findWish(
  { core }: BotContext,
  number: string | undefined,
): Promise<ListedReplacement | undefined> {
  const wish = await core.operator.replacements.find(number ?? '')
  return wish?.status === 'requested' ? wish : undefined
}

async function gone(ctx: BotContext): Promise<unknown> {
  await ctx.notify(ctx.texts.operator.replacements.gone, true)
  return showReplacements(ctx)
}

/** @param refund whether the rest of the term is paid back where there is no equal proxy */
async function allow(ctx: BotContext, number: string | undefined, refund: boolean): Promise<unknown> {
  const wish = await findWish(ctx, number)
  if (!wish) return gone(ctx)
  try {
    const decision = { replacementNo: wish.replacementNo, allow: true, refund }
    return await ctx.show(resultScreen(ctx, await ctx.core.operator.replacements.decide(by(ctx), decision)))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'out_of_stock') return ctx.show(noneFreeScreen(viewOf(ctx), wish))
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return showReplacements(ctx)
  }
}

function resultScreen({ texts }: BotContext, { status }: Replacement): Screen {
  const { results } = texts.operator.replacements
  return decidedScreen(texts, status === 'requested' ? html`…` : results[status])
}

/** Why a replacement is declined; the customer reads it. */
const whyNot: OperatorQuestion<{ readonly number: string }> = {
  name: 'replacement.decline',
  forOperator: true,
  prompt: async (ctx, _actor, { number }) => {
    const wish = await findWish(ctx, number)
    return wish
      ? askedIn(ctx, declineScreen(viewOf(ctx), wish))
      : decidedScreen(ctx.texts, html`${ctx.texts.operator.replacements.gone}`)
  },
  answer: (ctx, _actor, { number }, note) => decline(ctx, number, note),
  choose: (ctx, _actor, { number }) => decline(ctx, number, ''),
}

async function decline(ctx: BotContext, replacementNo: string, note: string): Promise<Outcome> {
  const decided = await ctx.core.operator.replacements.decide(by(ctx), { replacementNo, allow: false, note })
  return { screen: resultScreen(ctx, decided) }
}

export const replacementQuestions = [whyNot]
