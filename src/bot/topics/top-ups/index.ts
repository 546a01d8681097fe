import type { Topic } from '../../topic.ts'
import { findTopUp } from './find.ts'
import { howMuchUsdt, topUpsFeature } from './handlers.ts'

/** Topping up with USDT. */
export const topUps: Topic = {
  features: [topUpsFeature()],
  questions: [howMuchUsdt],
  finds: [findTopUp],
}
