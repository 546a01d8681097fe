import type { View } from '../kit/view.ts'
import type { BotContext } from './context.ts'

/** How this chat wants its screens worded. */
export function viewOf({ texts, session, core, support }: BotContext): View {
  const whom = typeof session.actor?.agentId === 'number' ? 'agent' : 'operator'
  const askWhom = core.topUps.terms ? undefined : whom
  return {
    texts,
    language: session.language,
    currency: core.currency,
    now: core.now(),
    askWhom,
    support,
  }
}
