import type { Topic } from '../../dialogue/topic.ts'
import { productQuestions } from './forms.ts'
import { catalogFeature } from './handlers.ts'
import { priceQuestions } from './prices.ts'

/** Products and prices, in the operator's chats. */
export const catalog: Topic = {
  features: [catalogFeature()],
  questions: [...productQuestions, ...priceQuestions],
}
