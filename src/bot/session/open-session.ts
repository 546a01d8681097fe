import type { Context, Middleware } from 'grammy'
import type { ChatPerson } from '../../core/chats/chat-sessions.ts'
import { languageIn } from '../../core/bots/agent-bot.ts'
import { isRepeated } from '../../core/chats/dialogues.ts'
import type { Screen } from '../kit/screen.ts'
import { languageOf, textsOf } from '../texts/index.ts'
import type { BotContext } from './context.ts'
import type { Permits } from './permitted.ts'
import { supportOf } from './view-of.ts'
import { showLive } from './show-live.ts'

interface SessionOptions extends Pick<
  BotContext,
  'core' | 'logger' | 'agentBots' | 'linkBases' | 'publicUrl' | 'localUrl' | 'installation' | 'files'
> {
  /** See {@link BotContext.homeScreen}. */
  readonly homeScreen: (ctx: BotContext, note?: string) => Promise<Screen>
  readonly permits: Permits
}

/** Loads the chat as it stands now: who is logged in, which language, which message is the live screen. */
export function openSession({
  core,
  logger,
  agentBots,
  linkBases,
  publicUrl,
  localUrl,
  installation,
  files,
  homeScreen,
  permits,
}: SessionOptions): Middleware<BotContext> {
  return async (ctx, next) => {
    const { chatId } = ctx
    if (chatId === undefined) return
    const brand = agentBots.brandOf(ctx.me.id)
    const hint = languageIn(brand, languageOf(ctx.from?.language_code))
    const session = await core.chats.session(chatId, hint, {
      person: personOf(ctx),
      agentId: brand?.agentId,
    })
    // A dialogue must not take the same message for two answers. Everything else may be handled twice: screens show the same
    // again, and a purchase has its own idempotency key.
    if (isRepeated(ctx.update.update_id, session.lastUpdate)) return
    const operator = await core.people.operatorIn({ chatId, telegramId: ctx.from?.id })
    Object.assign(ctx, {
      core,
      operator,
      mayPress: (data: string) => permits(ctx.operator, data),
      logger,
      agentBots,
      brand,
      linkBases,
      publicUrl,
      localUrl,
      installation,
      files,
      session,
      support: await supportOf(core, brand),
      texts: textsOf(session),
      show: showLive(ctx, chatId),
      begins: undefined,
      shown: false,
      unchanged: false,
      answered: false,
      inPlace: false,
      homeScreen: (note?: string) => homeScreen(ctx, note),
    })
    await next()
  }
}

/** Returns who writes in a private chat; undefined in a group, where many write. */
function personOf({ chat, from }: Context): ChatPerson | undefined {
  if (chat?.type !== 'private' || !from) return undefined
  const personName = [from.first_name, from.last_name].filter(Boolean).join(' ')
  return { telegramName: from.username?.toLowerCase() ?? null, personName: personName || null }
}
