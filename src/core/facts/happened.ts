import { atOnce } from '../database/at-once.ts'
import { type Database, type Tx, withWrite } from '../database/database.ts'
import type { Fact } from './facts.ts'

/** Receives the facts of one transaction. */
export interface Hearing {
  /** Called as soon as facts are told, so that the hearer can begin to read what it needs. */
  begin?(facts: readonly Fact[]): void
  /** Writes what follows from the facts, in the same transaction. */
  write?(facts: readonly Fact[]): Promise<unknown>
  /** Called once after the commit; not called after a rollback. */
  committed?(): void
}

/** Makes the {@link Hearing} of a transaction; called once for each transaction in which facts are told. */
export type Hearer = (tx: Tx) => Hearing

interface Told {
  readonly hearers: readonly Hearer[]
  hearings?: readonly Hearing[]
  readonly facts: Fact[]
}

const transactions = new WeakMap<Tx, Told>()

/** Returns a database in whose transactions facts can be told; what hearers write about them is committed in the same transaction. */
export function heardBy(db: Database, hearers: readonly Hearer[]): Database {
  return withWrite(db, async (job, mixes) => {
    let told: Told | undefined
    const result = await db.write(async (shared) => {
      // A client of its own for each run of a job: the lane hands all jobs the same one, and may run a job again.
      const tx = Object.create(shared) as Tx
      told = { hearers, facts: [] }
      transactions.set(tx, told)
      const result = await job(tx)
      await tellNow(tx)
      return result
    }, mixes)
    for (const hearing of told?.hearings ?? []) hearing.committed?.()
    return result
  })
}

/**
 * Tells the hearers what has happened in the open transaction. They write their part before the commit: notices, events of webhooks, live
 * screens, the trail; the security log is written after it.
 */
export function happened(tx: Tx, ...facts: readonly Fact[]): void {
  const told = toldIn(tx)
  if (facts.length === 0) return
  told.facts.push(...facts)
  told.hearings ??= told.hearers.map((hearer) => hearer(tx))
  for (const hearing of told.hearings) hearing.begin?.(facts)
}

/**
 * Returns a database whose first transaction tells one more fact, at its end; its jobs are not mixed with others.
 *
 * @param factOf makes the fact of the transaction's result; returns undefined for none
 */
export function alsoTelling(db: Database, factOf: (written: unknown) => Fact | undefined): Database {
  let isFirst = true
  return withWrite(db, async (job) => {
    const result = await db.write(async (tx) => {
      const written = await job(tx)
      const fact = isFirst ? factOf(written) : undefined
      if (fact) happened(tx, fact)
      return written
    })
    // Set only after the commit: the lane may run the job again before.
    isFirst = false
    return result
  })
}

/** Lets the hearers write about the facts told so far, before the transaction changes who is to be notified of them, as a log-in does. */
export async function tellNow(tx: Tx): Promise<void> {
  const { facts, hearings = [] } = toldIn(tx)
  const some = facts.splice(0)
  if (some.length > 0) await atOnce(hearings.map(async (hearing) => hearing.write?.(some)))
}

function toldIn(tx: Tx): Told {
  const told = transactions.get(tx)
  if (!told) throw new Error('nobody hears of what happens in this transaction')
  return told
}
