import type { View } from '../kit/view.ts'
import type { BotContext } from './context.ts'

/** How this chat wants its screens worded. */
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
