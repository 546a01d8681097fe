import { languagesOf } from '../../../core/bots/agent-bot.ts'
import { SETTINGS } from '../../actions/settings.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { textsOf } from '../../texts/index.ts'
import { languageScreen } from './screens.ts'

/** The language of the chat, before a log-in as well. */
export function languageFeature(): Feature {
  const feature = new Feature()
  const showLanguages = (ctx: BotContext) =>
    ctx.show(
      languageScreen(
        ctx.texts,
        ctx.session.language,
        languagesOf(ctx.brand),
        ctx.session.actor !== undefined,
      ),
    )
  feature.command('language', showLanguages)
  feature.on(SETTINGS.language, async (ctx, { language }) => {
    if (!language || !languagesOf(ctx.brand).includes(language)) return showLanguages(ctx)
    await ctx.core.chats.setLanguage(ctx.chat.id, language)
    ctx.session = { ...ctx.session, language }
    ctx.texts = textsOf(ctx.session)
    return showHome(ctx)
  })
  return feature
}
