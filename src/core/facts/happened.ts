import { atOnce } from '../database/at-once.ts'
import { type Database, type Tx, withWrite } from '../database/database.ts'
import type { Fact } from './facts.ts'

/** Hears what happens in one transaction. */
export interface Hearing {
  /** Called as soon as facts are told, so that what has to be read can be read early. */
  begin?(facts: readonly Fact[]): void
  /** Writes what it makes of facts, in the same transaction. */
  write?(facts: readonly Fact[]): Promise<unknown>
  /** Called once when all of it is committed, and not when it is undone. */
  committed?(): void
}

/** Somebody who hears of what happens; called once for each transaction in which something does. */
export type Hearer = (tx: Tx) => Hearing

interface Told {
  readonly hearers: readonly Hearer[]
  hearings?: readonly Hearing[]
  readonly facts: Fact[]
}

const transactions = new WeakMap<Tx, Told>()

/** A database in whose transactions facts can be told: what hearers write of them is committed with what happened, or not at all. */
export function heardBy(db: Database, hearers: readonly Hearer[]): Database {
  return withWrite(db, async (job, mixes) => {
    let told: Told | undefined
    const result = await db.write(async (shared) => {
      // The lane hands the same client to all its jobs, and each has facts of its own; it may also carry a job out anew.
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
 * Says what has happened in the open transaction. Whoever hears of it writes its part before the commit: notices, events of webhooks,
 * live screens, the trail; the security log when it is committed.
 */
export function happened(tx: Tx, ...facts: readonly Fact[]): void {
  const told = toldIn(tx)
  if (facts.length === 0) return
  told.facts.push(...facts)
  told.hearings ??= told.hearers.map((hearer) => hearer(tx))
  for (const hearing of told.hearings) hearing.begin?.(facts)
}

/**
 * A database whose first transaction says one thing more, at its end; it is not mixed with others.
 *
 * @param factOf what is said, by what the transaction returns; undefined: nothing
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
    // Only now: the lane may have carried the job out anew.
    isFirst = false
    return result
  })
}

/**
 * Lets everybody write now what they make of the facts until here: where the transaction goes on with something that changes who hears
 * of them, such as a log-in.
 */
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
