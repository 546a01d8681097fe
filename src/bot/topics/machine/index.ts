import type { Topic } from '../../topic.ts'
import { booksFeature } from './books.ts'
import { healthFeature } from './health.ts'
import { jobsFeature } from './jobs.ts'

/** What keeps the shop running: background jobs, the health of its parts, the books. */
export const machine: Topic = { features: [healthFeature(), jobsFeature(), booksFeature()] }
