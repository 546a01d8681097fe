import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import type { Supplier } from './orders/supplier.ts'
import type { LoginThrottle } from './accounts/login-throttle.ts'
import type { PasswordHasher } from './accounts/passwords.ts'
import type { Tokens } from './accounts/tokens.ts'

/** What the use cases work with; made once by `createCore`. */
export interface CoreDeps {
  readonly db: Database
  readonly clock: Clock
  readonly jobs: JobQueue
  readonly passwords: PasswordHasher
  readonly tokens: Tokens
  readonly throttle: LoginThrottle
  /** Suppliers by the name that products carry. */
  readonly suppliers: Readonly<Record<string, Supplier>>
  /** ISO 4217 code of the account currency. */
  readonly currency: string
}
