import type { Topic } from '../../dialogue/topic.ts'
import { buyFeature } from './handlers.ts'
import { buying } from './conversation.ts'

/** Buying static proxies. */
export const buy: Topic = {
  features: [buyFeature()],
  questions: [buying],
}
