import { Composer } from 'grammy'
import type { BotContext } from '../../session/context.ts'
import { LOCALES } from '../../texts/index.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import { figuresScreen, OPERATOR, operatorScreen } from './screens.ts'
import type { Screen } from '../../kit/screen.ts'
import { onAction } from '../../session/on-action.ts'
import { viewOf } from '../../session/view-of.ts'
import { messageScreen } from '../../kit/simple-screens.ts'
import { ACTION } from '../../kit/buttons.ts'

/** Where everything in the operator's chats begins. */
export async function operatorScreenFor({ core, texts, chat, session }: BotContext): Promise<Screen> {
  const otherLanguage = session.language === 'en' ? 'zh' : 'en'
  const { total: payments } = await core.operator.payments.page(1, 1)
  return operatorScreen(texts, payments, chat?.type === 'private' ? undefined : otherLanguage)
}

/** The operator's menu and the figures of today. */
export function operatorFeature(): Composer<BotContext> {
  const feature = new Composer<BotContext>()
  const chats = feature.filter(isOperatorChat)

  const showMenu = async (ctx: BotContext) => ctx.show(await operatorScreenFor(ctx))
  chats.command('operator', showMenu)
  onAction(chats, OPERATOR.home, showMenu)
  const groups = chats.filter(({ chat }) => chat?.type !== 'private')
  groups.command(['start', 'menu', 'cancel'], showMenu)
  onAction(groups, ACTION.home, showMenu)
  onAction(groups, OPERATOR.language, async (ctx, wanted) => {
    const language = wanted === 'zh' ? 'zh' : 'en'
    await ctx.core.chats.setLanguage(ctx.chat.id, language)
    ctx.session = { ...ctx.session, language }
    ctx.texts = LOCALES[language]
    await showMenu(ctx)
  })
  onAction(chats, OPERATOR.figures, async (ctx) => {
    await ctx.show(figuresScreen(viewOf(ctx), await ctx.core.operator.dayFigures()))
  })
  return feature
}

/** Tells a chat its id, so that it can be made a chat of the operator. */
export function chatIdFeature(): Composer<BotContext> {
  const feature = new Composer<BotContext>()
  feature.command('chatid', (ctx) =>
    ctx.show(messageScreen(ctx.texts, ctx.texts.operator.chatId(ctx.chat.id, isOperatorChat(ctx)))),
  )
  return feature
}
