import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import { PROXY_TYPES } from '../../../core/catalog/product.ts'
import type { PromoCode } from '../../../core/promotions/promo-code.ts'
import { PROMO } from '../../actions/promotions.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import { ask } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import { homeButton } from '../../kit/buttons.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { newDraft, promoQuestions } from './questions.ts'
import {
  askStopScreen,
  CODES_PER_PAGE,
  effectLines,
  promoCodeScreen,
  promoCodesScreen,
  type Side,
} from './screens.ts'

const SIDE: Side = {
  actions: PROMO,
  exits: ({ texts }) => [
    { text: texts.buttons.back, data: USERS.list.data({ position: AS_LEFT }) },
    homeButton(texts),
  ],
  mayChange: true,
  about: ({ texts }) => texts.promo.about.agent,
  paysByEarning: true,
}

/** The promotion codes of an agent (rules 13.8). */
export function agentPromoFeature(): Feature {
  const feature = new Feature()
  feature.onMember(PROMO.list, (ctx, actor, { page }) => list(ctx, actor, page))
  feature.onMember(PROMO.create, async (ctx, actor) => {
    requireAgent(actor)
    await ask(ctx, agentPromoQuestions[0], newDraft())
    return undefined
  })
  const onCode = (
    action: Action<typeof PROMO.code.shape>,
    screen: (ctx: BotContext, actor: Actor, code: string) => Promise<Screen>,
  ) =>
    feature.onMember(
      action,
      (ctx, actor, { code = '' }) => screen(ctx, actor, code),
      (ctx, actor) => list(ctx, actor),
    )
  onCode(PROMO.code, async (ctx, actor, code) =>
    codeScreen(ctx, actor, await ctx.core.promotions.get(actor, code)),
  )
  onCode(PROMO.askStop, async (ctx, actor, code) =>
    askStopScreen(viewOf(ctx), SIDE, await ctx.core.promotions.get(actor, code)),
  )
  onCode(PROMO.stop, async (ctx, actor, code) =>
    codeScreen(ctx, actor, await ctx.core.promotions.stop(actor, code)),
  )
  return feature
}

/** @param isNew it was just made */
async function codeScreen(ctx: BotContext, actor: Actor, code: PromoCode, isNew = false): Promise<Screen> {
  return promoCodeScreen(viewOf(ctx), SIDE, code, await ctx.core.promotions.effects(actor, code), isNew)
}

async function list(ctx: BotContext, actor: Actor, wanted = 1): Promise<Screen> {
  const found = await existingPage(wanted, (page) =>
    ctx.core.promotions.list(actor, { page, pageSize: CODES_PER_PAGE }),
  )
  return promoCodesScreen(viewOf(ctx), SIDE, found)
}

export const agentPromoQuestions = promoQuestions<Actor>({
  prefix: 'promo',
  hasBalance: true,
  list: PROMO.list.data({}),
  products: async ({ core }, actor) => {
    const items = await core.catalog.query(actor, { proxyTypes: PROXY_TYPES })
    return [...new Set(items.map(({ productNo }) => productNo))]
  },
  effects: async (ctx, actor, code) =>
    effectLines(viewOf(ctx), SIDE, await ctx.core.promotions.effects(actor, code)),
  make: async (ctx, actor, code) =>
    codeScreen(ctx, actor, await ctx.core.promotions.create(actor, code), true),
  made: async (ctx, actor, code) => codeScreen(ctx, actor, await ctx.core.promotions.get(actor, code), true),
})
