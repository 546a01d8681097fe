import { type Actor, requireAgent } from '../../../core/access.ts'
import { PROXY_TYPES } from '../../../core/catalog/product.ts'
import type { PromoCode } from '../../../core/promotions/promo-code.ts'
import { ask } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import { homeButton } from '../../kit/buttons.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { AS_LEFT, USERS } from '../users/actions.ts'
import { PROMO } from './actions.ts'
import { newDraft, promoQuestions } from './questions.ts'
import { askStopScreen, CODES_PER_PAGE, promoCodeScreen, promoCodesScreen, type Side } from './screens.ts'

const SIDE: Side = {
  actions: PROMO,
  exits: ({ texts }) => [
    { text: texts.buttons.back, data: USERS.list.data({ position: AS_LEFT }) },
    homeButton(texts),
  ],
  mayChange: true,
  about: ({ texts }) => texts.promo.about.agent,
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
  const shown =
    (screen: (view: ReturnType<typeof viewOf>, side: Side, code: PromoCode) => Screen) =>
    async (ctx: BotContext, actor: Actor, code: string) =>
      screen(viewOf(ctx), SIDE, await ctx.core.promotions.get(actor, code))
  onCode(
    PROMO.code,
    shown((view, side, code) => promoCodeScreen(view, side, code)),
  )
  onCode(PROMO.askStop, shown(askStopScreen))
  onCode(PROMO.stop, async (ctx, actor, code) =>
    promoCodeScreen(viewOf(ctx), SIDE, await ctx.core.promotions.stop(actor, code)),
  )
  return feature
}

async function list(ctx: BotContext, actor: Actor, wanted = 1): Promise<Screen> {
  const found = await existingPage(wanted, (page) =>
    ctx.core.promotions.list(actor, { page, pageSize: CODES_PER_PAGE }),
  )
  return promoCodesScreen(viewOf(ctx), SIDE, found)
}

export const agentPromoQuestions = promoQuestions<Actor>({
  prefix: 'promo',
  list: PROMO.list.data({}),
  products: async ({ core }, actor) => {
    const items = await core.catalog.query(actor, { proxyTypes: PROXY_TYPES })
    return [...new Set(items.map(({ productNo }) => productNo))]
  },
  make: async (ctx, actor, code) =>
    promoCodeScreen(viewOf(ctx), SIDE, await ctx.core.promotions.create(actor, code), true),
  made: async (ctx, actor, code) =>
    promoCodeScreen(viewOf(ctx), SIDE, await ctx.core.promotions.get(actor, code), true),
})
