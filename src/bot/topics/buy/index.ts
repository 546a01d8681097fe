import type { Topic } from '../../topic.ts'
import { purchaseQuestions } from './questions.ts'
import { buyFeature } from './handlers.ts'
/** Buying static proxies. */
export const buy: Topic = {
  features: [buyFeature()],
  questions: purchaseQuestions,
}
