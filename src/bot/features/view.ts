import type { BotContext } from '../context.ts'
import type { View } from '../screens/buy.ts'

/** How this chat wants its screens worded. */
export function viewOf({ texts, session, core }: BotContext): View {
  return { texts, language: session.language, currency: core.currency }
}
