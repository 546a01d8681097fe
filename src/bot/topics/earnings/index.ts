import type { Topic } from '../../dialogue/topic.ts'
import { earningsFeature, earningsQuestions } from './handlers.ts'
import { priceQuestions, pricesFeature } from './prices.ts'
import { payoutQuestions, payoutsFeature } from './payouts.ts'
import { reportFeature } from './report.ts'

/** What an agent earns by its sub-users. */
export const earnings: Topic = {
  features: [earningsFeature(), payoutsFeature(), pricesFeature(), reportFeature()],
  questions: [...earningsQuestions, ...payoutQuestions, ...priceQuestions],
}
