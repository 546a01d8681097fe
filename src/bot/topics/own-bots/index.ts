import type { Topic } from '../../dialogue/topic.ts'
import { ownBotsFeature } from './handlers.ts'
import { botsOfAgentsFeature } from './of-agents.ts'
import { ownBotQuestions } from './questions.ts'

/** The bots that agents have of their own, for their agents and for those who run the shop. */
export const ownBots: Topic = {
  features: [ownBotsFeature(), botsOfAgentsFeature()],
  questions: ownBotQuestions,
}
