import type { Topic } from '../../dialogue/topic.ts'
import { ownBotsFeature } from './handlers.ts'
import { ownBotQuestions } from './questions.ts'

/** The bots that an agent has of its own. */
export const ownBots: Topic = {
  features: [ownBotsFeature()],
  questions: ownBotQuestions,
}
