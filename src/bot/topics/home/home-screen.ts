import type { Actor } from '../../../core/access/actor.ts'
import { operatorButton } from '../../actions/operator.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import { windowScreenFor } from '../log-in/window.ts'
import { operatorScreenFor } from '../operator/menu-screen.ts'
import { type BotAtHome, type EarningsAtHome, homeScreen } from './menu-screen.ts'

/**
 * The home screen: the main menu, or the window of the shop; in a group, the operator's menu.
 *
 * @param note what the person should know first
 */
export async function homeScreenFor(ctx: BotContext, note?: string): Promise<Screen> {
  const { session, texts, core, support } = ctx
  // Nobody logs in where others see it: a group is the operator's.
  if (ctx.chat?.type !== 'private') return operatorScreenFor(ctx)
  const accounts = await core.chats.accounts(session.chatId)
  const others = accounts.filter(({ id }) => id !== session.actor?.id)
  const screen = session.actor
    ? homeScreen({ texts, support }, await core.records.summary(session.actor), {
        note,
        goOn: (await core.chats.readDraft(session.chatId)).resume,
        others,
        earnings: await earningsAtHome(ctx, session.actor),
        bot: botAtHome(ctx, session.actor),
      })
    : await windowScreenFor(ctx, {
        note: note ?? (session.ended && texts.sessionEnded[session.ended]),
        others,
      })
  return isOperatorChat(ctx) ? { ...screen, buttons: [...screen.buttons, [operatorButton(texts)]] } : screen
}

/** The way to the agent's own bots, or of a customer to the bot of its agent. */
function botAtHome({ brand, core, agentBots }: BotContext, { role, agentId }: Actor): BotAtHome | undefined {
  if (!core.bots.enabled || brand) return undefined
  return role === 'agent' ? 'own' : agentBots.brandOfAgent(agentId)
}

/** What an agent has earned; undefined for others. */
async function earningsAtHome({ core }: BotContext, actor: Actor): Promise<EarningsAtHome | undefined> {
  if (actor.role !== 'agent') return undefined
  const { available, pending } = await core.earnings.ofAgent(actor)
  return { earned: available + pending, hasPrices: (await core.earnings.listPrices(actor)).length > 0 }
}
