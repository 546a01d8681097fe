import type { Topic } from '../../dialogue/topic.ts'
import { agentPromoFeature, agentPromoQuestions } from './of-agent.ts'
import { shopPromoFeature, shopPromoQuestions } from './of-shop.ts'

/** Promotion codes: those of an agent, and in the operator's chats all of them. */
export const promotions: Topic = {
  features: [agentPromoFeature(), shopPromoFeature()],
  questions: [...agentPromoQuestions, ...shopPromoQuestions],
}
