import type { AgentBot } from '../../../core/bots/agent-bot.ts'
import { ServiceError } from '../../../core/errors.ts'
import { AGENT_BOTS } from '../../actions/own-bots.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { agentBotScreen, agentBotsScreen, removeAgentBotScreen } from './of-agents-screens.ts'

/** The bots of all agents, as the operator looks after them (rules 20.6). */
export function botsOfAgentsFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  const list = async (ctx: BotContext, page = 1) =>
    ctx.show(agentBotsScreen(viewOf(ctx), await ctx.core.operator.bots.list(), page))
  feature.on(AGENT_BOTS.list, (ctx, { page }) => list(ctx, page))
  const onBot = (
    action: typeof AGENT_BOTS.bot,
    screen: (ctx: BotContext, id: number) => Promise<Screen | undefined>,
  ) =>
    feature.on(action, async (ctx, { id = 0 }) => {
      try {
        const shown = await screen(ctx, id)
        return await (shown ? ctx.show(shown) : list(ctx))
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'bot_not_found') throw error
        await ctx.notify(ctx.texts.ownBots.all.gone, true)
        return list(ctx)
      }
    })
  const show = async (ctx: BotContext, bot: AgentBot) => agentBotScreen(viewOf(ctx), bot)
  onBot(AGENT_BOTS.bot, async (ctx, id) => show(ctx, await ctx.core.operator.bots.find(id)))
  onBot(AGENT_BOTS.pause, async (ctx, id) => show(ctx, await ctx.core.operator.bots.pause(by(ctx), id)))
  onBot(AGENT_BOTS.resume, async (ctx, id) => {
    const { bots } = ctx.core.operator
    // One that has never been opened: somebody pressed on an old screen.
    const resumed = await bots.resume(by(ctx), id).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_state') throw error
      return bots.find(id)
    })
    return show(ctx, resumed)
  })
  onBot(AGENT_BOTS.askRemove, async (ctx, id) =>
    removeAgentBotScreen(viewOf(ctx), await ctx.core.operator.bots.find(id)),
  )
  onBot(AGENT_BOTS.remove, async (ctx, id) => {
    await ctx.core.operator.bots.remove(by(ctx), id)
    return undefined
  })
  return feature
}
