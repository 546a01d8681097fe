import { recordsFeature, whichDays } from './handlers.ts'
import type { Topic } from '../../topic.ts'
/** Records of money. */
export const records: Topic = {
  features: [recordsFeature()],
  questions: [whichDays],
}
