import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import type { AgentBot } from '../../../core/bots/agent-bot.ts'
import { LANGUAGES, type Language } from '../../../core/languages.ts'
import { OWN_BOTS } from '../../actions/own-bots.ts'
import { ask } from '../../dialogue/ask.ts'
import { startLink } from '../../kit/invite-link.ts'
import type { Screen } from '../../kit/screen.ts'
import { homeButton } from '../../kit/buttons.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { MAKING_MS } from '../../transport/agent-bots.ts'
import { botName, botPicture, botSupport, botToken, botWelcome } from './questions.ts'
import { ownBotLanguagesScreen, ownBotScreen, ownBotsScreen, removeOwnBotScreen } from './screens.ts'

/** Letters of a username that is suggested to Telegram, which allows 5 to 32 and wants `bot` at the end. */
const MOST_OF_USERNAME = 24

/** An agent's own bots (rules 20.1). */
export function ownBotsFeature(): Feature {
  const feature = new Feature()
  const list = async (ctx: BotContext, actor: Actor) => {
    requireAgent(actor)
    const { core, session } = ctx
    const bots = await core.bots.own(actor)
    const most = core.bots.most(actor)
    // Its owner may have allowed it in @BotFather since the start.
    const mayMake = bots.length < most && (await ctx.api.getMe()).can_manage_bots
    // Telegram says who has made a bot, and not why: it is taken where it was asked for.
    if (mayMake) await core.chats.changeDraft(session.chatId, { ownBot: core.now().getTime() + MAKING_MS })
    return ownBotsScreen(viewOf(ctx), bots, { link: mayMake ? makingLink(ctx, actor) : undefined, most })
  }
  const onBot = (
    action: typeof OWN_BOTS.view,
    screen: (ctx: BotContext, actor: Actor, bot: AgentBot) => Promise<Screen | undefined>,
  ) =>
    feature.onMember(
      action,
      async (ctx, actor, { id = 0 }) => screen(ctx, actor, await ctx.core.bots.ownBot(actor, id)),
      list,
    )
  const command = (action: typeof OWN_BOTS.view, state: 'active' | 'paused' | 'removed') =>
    onBot(action, async (ctx, actor, { botId }) => {
      const bot = await ctx.core.bots.command(actor, botId, state)
      return state === 'removed' ? list(ctx, actor) : ownBotScreen(viewOf(ctx), bot)
    })

  feature.onMember(OWN_BOTS.home, list)
  feature.onMember(OWN_BOTS.paste, async (ctx, actor) => {
    await ctx.core.bots.requireRoom(actor)
    await ask(ctx, botToken, {})
    return undefined
  })
  onBot(OWN_BOTS.view, async (ctx, _actor, bot) => ownBotScreen(viewOf(ctx), bot))
  for (const [action, question] of [
    [OWN_BOTS.name, botName],
    [OWN_BOTS.welcome, botWelcome],
    [OWN_BOTS.support, botSupport],
    [OWN_BOTS.picture, botPicture],
  ] as const)
    onBot(action, async (ctx, _actor, { botId }) => {
      await ask(ctx, question, { botId })
      return undefined
    })
  onBot(OWN_BOTS.languages, async (ctx, _actor, bot) => ownBotLanguagesScreen(viewOf(ctx), bot))
  feature.onMember(
    OWN_BOTS.language,
    async (ctx, actor, { id = 0, language }) => {
      const bot = await ctx.core.bots.ownBot(actor, id)
      const languages = language ? toggled(bot.languages, language) : bot.languages
      const edited = await ctx.core.bots.edit(actor, id, { languages: [...languages] })
      return ownBotLanguagesScreen(viewOf(ctx), edited)
    },
    list,
  )
  command(OWN_BOTS.pause, 'paused')
  command(OWN_BOTS.resume, 'active')
  onBot(OWN_BOTS.askRemove, async (ctx, _actor, bot) => removeOwnBotScreen(viewOf(ctx), bot))
  command(OWN_BOTS.remove, 'removed')
  feature.onMember(OWN_BOTS.enter, enterScreen)
  return feature
}

/** Returns the languages after a press on one of them; none stands for all, and the last one stays. */
function toggled(languages: readonly Language[], language: Language): readonly Language[] {
  const chosen = languages.length === 0 ? LANGUAGES : languages
  const left = LANGUAGES.filter((each) => (each === language) !== chosen.includes(each))
  return left.length === 0 ? languages : left.length === LANGUAGES.length ? [] : left
}

/** Telegram's dialog that makes a bot for the shop's (Bot API: managed bots); names can be changed there. */
function makingLink({ me, texts }: BotContext, { username }: Actor): string {
  const letters = username.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, MOST_OF_USERNAME)
  const suggested = `${/^[A-Za-z]/.test(letters) ? letters : `shop_${letters}`}_bot`
  const name = texts.ownBots.suggestedName(username)
  return `https://t.me/newbot/${me.username}/${suggested}?name=${encodeURIComponent(name)}`
}

/** A customer's way to the bot of its agent: a link that works once, and for this Telegram user only (rules 20.5). */
async function enterScreen(ctx: BotContext, actor: Actor): Promise<Screen> {
  const { texts, session, core } = ctx
  const bot = ctx.agentBots.brandOfAgent(actor.agentId)
  if (!bot) return ctx.homeScreen()
  const start = await core.bots.entry(session.chatId, actor)
  return {
    text: texts.ownBots.enter(bot.name),
    buttons: [
      [{ text: texts.ownBots.buttons.open, url: startLink(bot.username, start), style: 'primary' }],
      [homeButton(texts)],
    ],
  }
}
