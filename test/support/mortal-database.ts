import type { Database } from '../../src/core/database/database.ts'

/** What a use case never comes back from: its process has ended. */
class Killed extends Error {}

/** Whether it is the end of a process and no refusal. */
export function wasKilled(error: unknown): boolean {
  return (
    error instanceof Killed || (error instanceof Error && error.cause !== undefined && wasKilled(error.cause))
  )
}

/**
 * A database whose process can be killed: from then on nothing is committed, and what is under way does not come back. That is all
 * that a kill leaves behind, since a transaction is kept as a whole or not at all.
 */
export function mortalDatabase(db: Database) {
  let left = Infinity
  /** Whether the last transaction is kept, and its answer lost. */
  let keepsLast = false
  return {
    db: {
      read: db.read,
      write: async <Result>(job: Parameters<typeof db.write<Result>>[0]): Promise<Result> => {
        left -= 1
        if (left < 0) {
          if (left === -1 && keepsLast) await db.write(job)
          throw new Killed()
        }
        return db.write(job)
      },
      onCommit: (listener: () => void) => db.onCommit(listener),
      close: () => db.close(),
    } satisfies Database,
    /** @param transactions that still come through; of the one after these, what it has done stays, but its answer is lost */
    killAfter(transactions: number, keeps: boolean): void {
      left = transactions
      keepsLast = keeps
    },
    /** @returns whether it had been killed */
    revive(): boolean {
      const killed = left < 0
      left = Infinity
      return killed
    },
  }
}
