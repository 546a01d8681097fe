import type { Topic } from '../../topic.ts'
import { toppingUp, topUpsFeature } from './handlers.ts'

/** Topping up with USDT. */
export const topUps: Topic = {
  features: [topUpsFeature()],
  questions: [toppingUp],
}
