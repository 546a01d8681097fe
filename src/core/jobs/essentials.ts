import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { Sealing } from '../sealed.ts'
import type { Throttle } from '../throttle.ts'
import type { JobQueue } from './job-queue.ts'

/** Dependencies of every part. */
export interface Essentials {
  readonly db: Database
  readonly clock: Clock
  readonly jobs: JobQueue
  /** ISO 4217 code of the account currency. */
  readonly currency: string
  /** Telegram chats, groups among them, of those who run the shop. */
  readonly operatorChats: readonly number[]
  /** Encrypts the stored answers of requests with a key; see `once`. */
  readonly answers: Sealing
  /** Encrypts the tokens of registration links and public links, each for its hash, so that they can be shown again. */
  readonly linkTokens: Sealing
  /** Limits the calls of each public link. */
  readonly linkThrottle: Throttle<string>
}
