import type { Topic } from '../../topic.ts'
import { buyFeature } from './handlers.ts'
import { purchaseQuestions } from './questions.ts'

/** Buying static proxies. */
export const buy: Topic = {
  features: [buyFeature()],
  questions: purchaseQuestions,
}
