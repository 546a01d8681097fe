import type { Topic } from '../../dialogue/topic.ts'
import { recordsFeature, whichDays } from './handlers.ts'

/** Records of money. */
export const records: Topic = {
  features: [recordsFeature()],
  questions: [whichDays],
}
