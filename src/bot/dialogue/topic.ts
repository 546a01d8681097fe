import type { ConversationBuilder } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { OperatorQuestion, Question } from './ask.ts'
import type { Find } from './pasted.ts'
import type { BotContext } from '../session/context.ts'
import type { Feature } from '../session/feature.ts'

/** Something that people do with the bot, from the buttons to the answers that are typed. */
export interface Topic {
  readonly features: readonly Feature[]
  /** What the bots of agents do not do, because something secret is typed there (rules 20.5). */
  readonly ofShop?: readonly Feature[]
  /** What it asks for in writing. */
  readonly questions?: readonly (Question<never> | OperatorQuestion<never>)[]
  /** Searches for text that is pasted anywhere, see {@link Find}. */
  readonly finds?: readonly Find[]
  /** Its dialogues that are no questions, by the name under which they are stored. */
  readonly dialogues?: Readonly<Record<string, ConversationBuilder<BotContext, Context>>>
}
