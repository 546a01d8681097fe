import { ServiceError } from '../../../core/errors.ts'
import type { PromoCode } from '../../../core/promotions/promo-code.ts'
import { operatorButton } from '../../actions/operator.ts'
import { SHOP_PROMO } from '../../actions/promotions.ts'
import { ask, type OperatorQuestion, type Question } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { allows, askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { type Draft, newDraft, promoQuestions } from './questions.ts'
import {
  askStopScreen,
  CODES_PER_PAGE,
  effectLines,
  promoCodeScreen,
  promoCodesScreen,
  type Side,
} from './screens.ts'

const sideOf = (ctx: BotContext): Side => ({
  actions: SHOP_PROMO,
  exits: ({ texts }) => [operatorButton(texts)],
  mayChange: allows(ctx, 'catalogue'),
  about: ({ texts }) => texts.promo.about.shop,
  paysByEarning: false,
})

/** All promotion codes, in the operator's chats (rules 13.8). */
export function shopPromoFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(SHOP_PROMO.list, async (ctx, { page }) => ctx.show(await list(ctx, page)))
  feature.on(SHOP_PROMO.create, async (ctx) => {
    if (allows(ctx, 'catalogue')) return ask(ctx, shopPromoQuestions[0], newDraft())
    return ctx.notify(ctx.texts.errors.not_permitted, true)
  })
  const onCode = (
    action: Action<typeof SHOP_PROMO.code.shape>,
    screen: (ctx: BotContext, code: string) => Promise<Screen>,
  ) =>
    feature.on(action, async (ctx, { code = '' }) => {
      try {
        return await ctx.show(await screen(ctx, code))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        await ctx.notify(errorText(ctx.texts, error.code), true)
        return ctx.show(await list(ctx))
      }
    })
  onCode(SHOP_PROMO.code, async (ctx, code) => codeScreen(ctx, await ctx.core.operator.promotions.find(code)))
  onCode(SHOP_PROMO.askStop, async (ctx, code) =>
    askStopScreen(viewOf(ctx), sideOf(ctx), await ctx.core.operator.promotions.find(code)),
  )
  onCode(SHOP_PROMO.stop, async (ctx, code) =>
    codeScreen(ctx, await ctx.core.operator.promotions.stop(by(ctx), code)),
  )
  return feature
}

/**
 * Of the shop's codes what they take off everybody's prices; of an agent's what they take off those of its sub-users.
 *
 * @param isNew it was just made
 */
async function codeScreen(ctx: BotContext, code: PromoCode, isNew = false): Promise<Screen> {
  const side = { ...sideOf(ctx), paysByEarning: code.agentId !== null }
  return promoCodeScreen(viewOf(ctx), side, code, await ctx.core.operator.promotions.effects(code), isNew)
}

async function list(ctx: BotContext, wanted = 1): Promise<Screen> {
  const found = await existingPage(wanted, (page) =>
    ctx.core.operator.promotions.list({ page, pageSize: CODES_PER_PAGE }),
  )
  return promoCodesScreen(viewOf(ctx), sideOf(ctx), found)
}

/** A question that also works in groups. */
function inShop(question: Question<Draft, undefined>): OperatorQuestion<Draft> {
  return {
    ...question,
    forOperator: true,
    prompt: async (ctx, asked, draft) => askedIn(ctx, await question.prompt(ctx, asked, draft)),
  }
}

const [first, ...others] = promoQuestions<undefined>({
  prefix: 'shop.promo',
  hasBalance: false,
  list: SHOP_PROMO.list.data({}),
  products: async ({ core }) => (await core.operator.listProducts()).map(({ productNo }) => productNo),
  effects: async (ctx, _asked, code) =>
    effectLines(
      viewOf(ctx),
      sideOf(ctx),
      await ctx.core.operator.promotions.effects({ ...code, agentId: null }),
    ),
  make: async (ctx, _asked, code) =>
    codeScreen(ctx, await ctx.core.operator.promotions.add(by(ctx), code), true),
  made: async (ctx, _asked, code) => codeScreen(ctx, await ctx.core.operator.promotions.find(code), true),
})

export const shopPromoQuestions = [inShop(first), ...others.map(inShop)] as const
