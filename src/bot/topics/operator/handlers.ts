import { FALLBACK_LANGUAGE } from '../../../core/languages.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { messageScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { anywhere, Feature } from '../../session/feature.ts'
import { allows, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { textsOf } from '../../texts/index.ts'
import { figuresScreen } from './figures-screen.ts'
import { decideScreenFor, operatorScreenFor, setUpScreenFor } from './menu-screen.ts'

/** The operator's menu and the figures of today. */
export function operatorFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.command('operator', showMenu)
  feature.on(OPERATOR.home, showMenu)
  feature.on(OPERATOR.decide, async (ctx) => ctx.show(await decideScreenFor(ctx)))
  feature.on(OPERATOR.setUp, (ctx) => ctx.show(setUpScreenFor(ctx)))
  feature.on(OPERATOR.figures, async (ctx) => {
    const { cost, margin, ...figures } = await ctx.core.operator.dayFigures()
    const profit = allows(ctx, 'profit') && cost !== undefined && margin !== undefined && { cost, margin }
    await ctx.show(figuresScreen(viewOf(ctx), { ...figures, ...profit }))
  })
  return feature
}

/** Gives groups of the operator the operator's menu in place of the main menu, and a language button in place of the settings. */
export function operatorGroupFeature(): Feature {
  const feature = new Feature((ctx) => isOperatorChat(ctx) && ctx.chat?.type !== 'private')
  feature.command(['start', 'menu', 'cancel'], showMenu)
  feature.on(OPERATOR.language, async (ctx, { language = FALLBACK_LANGUAGE }) => {
    await ctx.core.chats.setLanguage(ctx.chat.id, language)
    ctx.session = { ...ctx.session, language }
    ctx.texts = textsOf(ctx.session)
    await showMenu(ctx)
  })
  return feature
}

/** Tells a chat its id, so that it can be made a chat of the operator. */
export function chatIdFeature(): Feature {
  const feature = new Feature(anywhere)
  feature.command('chatid', async ({ chat: { id }, core, texts, show }) =>
    show(messageScreen(texts, texts.operator.chatId(id, await core.operator.isShopChat(id)))),
  )
  return feature
}

async function showMenu(ctx: BotContext): Promise<unknown> {
  return ctx.show(await operatorScreenFor(ctx))
}
