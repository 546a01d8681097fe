import type { Topic } from '../../dialogue/topic.ts'
import { findTopUp } from './find.ts'
import { toppingUp, topUpsFeature } from './handlers.ts'

/** Topping up with USDT. */
export const topUps: Topic = {
  features: [topUpsFeature()],
  questions: [toppingUp],
  finds: [findTopUp],
}
