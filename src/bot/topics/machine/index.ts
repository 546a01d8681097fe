import type { Topic } from '../../dialogue/topic.ts'
import { booksFeature } from './books.ts'
import { healthFeature } from './health.ts'
import { jobsFeature } from './jobs.ts'
import { setupFeature, setupQuestions } from './setup.ts'

/** What keeps the shop running: background jobs, the health of its parts, the books, and its settings. */
export const machine: Topic = {
  features: [healthFeature(), jobsFeature(), booksFeature(), setupFeature()],
  questions: setupQuestions,
}
