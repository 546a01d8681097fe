import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { JobQueue } from './jobs/job-queue.ts'

/** Dependencies of code that changes rows, enqueues jobs and announces notices. */
export interface Essentials {
  readonly db: Database
  readonly clock: Clock
  readonly jobs: JobQueue
  /** Telegram chats, groups among them, of those who run the shop. */
  readonly operatorChats: readonly number[]
}
