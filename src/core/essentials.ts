import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { JobQueue } from './jobs/job-queue.ts'

/** What changes rows, plans work that follows, and tells people of it. */
export interface Essentials {
  readonly db: Database
  readonly clock: Clock
  readonly jobs: JobQueue
  /** Telegram chats, groups among them, of those who run the shop. */
  readonly operatorChats: readonly number[]
}
