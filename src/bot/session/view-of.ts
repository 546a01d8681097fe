import type { ChatLocale } from '../../core/chat-locale.ts'
import type { Core } from '../../core/core.ts'
import type { Brand } from '../../core/bots/agent-bot.ts'
import type { SupportWay, View } from '../kit/view.ts'
import { textsOf } from '../texts/index.ts'
import type { BotContext } from './context.ts'

/** Something that is shown in a chat, and whose bot that is with; `brand` undefined: the shop's. */
export type OfBrand<Shown> = Shown & { readonly brand: Brand | undefined }

/** Returns where customers write to support: under the brand of an agent, to the agent. */
export async function supportOf(core: Core, brand: Brand | undefined): Promise<SupportWay> {
  if (!brand) return core.support.way()
  return brand.support === '' ? core.support.ticketsOf(brand.agentId) : { url: brand.support }
}

/** Returns how the screens of this chat are worded. */
export function viewOf({ texts, session, core, support }: BotContext): View {
  const hasAgent = typeof session.actor?.agentId === 'number'
  const askWhom = core.topUps.terms ? undefined : hasAgent ? 'agent' : 'operator'
  return {
    texts,
    language: session.language,
    currency: core.currency,
    now: core.now(),
    askWhom,
    hasAgent,
    support,
  }
}

/** Returns the same for a screen that is redrawn because something has changed, without a press. */
export async function followedView(core: Core, chat: OfBrand<ChatLocale>): Promise<View> {
  return {
    texts: textsOf(chat),
    language: chat.language,
    currency: core.currency,
    now: core.now(),
    support: await supportOf(core, chat.brand),
  }
}
