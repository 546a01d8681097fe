import type { GatewayAccount, UsageAnswer, UsageItem } from '../core/gateway/wire.ts'
import type { Quotas } from './accounts.ts'
import type { Allowance } from './allowance.ts'
import { Meter } from './meter.ts'

interface MetersOptions {
  /** The time of day in milliseconds, which decides the day of use. */
  readonly now?: () => number
  /** How long a credential is suspended when the shop does not say that a flush is over. */
  readonly flushMs?: number
}

/** The shop's question for all that a credential has used until now; the shop waits for the answer. */
interface Flush {
  readonly id: number
  /** Revision of the account that asks for it; with a newer one the shop is done. */
  revision: number
  readonly timer: NodeJS.Timeout
  reported: boolean
}

/** What was drained into a batch. */
interface Drained {
  readonly items: UsageItem[]
  /** Flushes that this completes. */
  readonly flushed: number[]
  /** Whether there is more than fits into one batch. */
  readonly isFull: boolean
}

const FLUSH_MS = 10_000
/** Characters of JSON after which a batch takes no more items: the shop takes requests of 256 KiB. */
const MOST_CHARACTERS = 120_000
const MOST_FLUSHED = 1_000

/** The quotas of all credentials, where they are exact: in the process that reports to the shop. */
export class Meters implements Quotas {
  readonly #now: () => number
  readonly #flushMs: number
  readonly #meters = new Map<string, Meter>()
  /** Meters of which something was used since the last batch. */
  readonly #used = new Set<Meter>()
  readonly #flushes = new Map<Meter, Flush>()

  constructor({ now = () => Date.now(), flushMs = FLUSH_MS }: MetersOptions = {}) {
    this.#now = now
    this.#flushMs = flushMs
  }

  of(username: string): Meter {
    let meter = this.#meters.get(username)
    if (!meter) {
      meter = new Meter(username, this.#now, (changed) => this.#used.add(changed))
      this.#meters.set(username, meter)
    }
    return meter
  }

  know(account: GatewayAccount, sequence: number, fresh: boolean): Allowance {
    const meter = this.of(account.username)
    meter.targets = account.targets
    meter.know(account.remaining_bytes, sequence, account.revision, fresh)
    meter.ended = account.status !== 'active'
    if (account.flush === null) this.#endFlush(meter, account.revision)
    else this.#flush(meter, account.flush, account.revision, fresh)
    return meter
  }

  forget(username: string): void {
    const meter = this.#meters.get(username)
    if (!meter) return
    meter.ended = true
    this.#endFlush(meter)
    this.#meters.delete(username)
  }

  /** Applies what the shop answered to a batch. */
  answered({ sequence, accounts }: UsageAnswer): void {
    for (const { username, remaining_bytes, revision } of accounts) {
      const meter = this.#meters.get(username)
      if (!meter) continue
      meter.know(remaining_bytes, sequence, revision)
      this.#endFlush(meter, revision)
    }
  }

  /** Counts a batch that is in the journal of an earlier run, and that the shop may not have counted. */
  replay(sequence: number, items: readonly UsageItem[]): void {
    for (const { account, bytes } of items) this.of(account).charge(sequence, bytes)
  }

  /** Lowers the numbers of the batches that the shop has not counted. */
  renumber(by: number): void {
    for (const meter of this.#meters.values()) meter.renumber(by)
  }

  /**
   * Moves what was used into the batch of this number; may be repeated for the same one until it is posted. What does not fit is left
   * for the next.
   */
  drain(sequence: number): Drained {
    const items: UsageItem[] = []
    const flushed: number[] = []
    let room = MOST_CHARACTERS
    const drainOne = (meter: Meter) => {
      const drained = meter.drain(sequence)
      for (const item of drained) room -= charactersOf(item)
      items.push(...drained)
      this.#used.delete(meter)
    }
    const result = (isFull: boolean) => ({ items, flushed, isFull })
    for (const [meter, flush] of this.#flushes) {
      if (flush.reported || meter.reserved > 0) continue
      if (flushed.length === MOST_FLUSHED || room <= 0) return result(true)
      drainOne(meter)
      flush.reported = true
      flushed.push(flush.id)
    }
    for (const meter of this.#used) {
      if (room <= 0) return result(true)
      drainOne(meter)
    }
    return result(false)
  }

  #flush(meter: Meter, id: number, revision: number, fresh: boolean): void {
    const open = this.#flushes.get(meter)
    if (open?.id === id && !fresh) open.revision = revision
    if (id <= meter.lastFlush && !fresh) return
    this.#endFlush(meter)
    meter.lastFlush = id
    meter.suspend()
    const timer = setTimeout(() => this.#endFlush(meter), this.#flushMs).unref()
    this.#flushes.set(meter, { id, revision, timer, reported: false })
  }

  /** @param revision the current one of the account; by default the flush ends whatever it is */
  #endFlush(meter: Meter, revision = Infinity): void {
    const flush = this.#flushes.get(meter)
    if (!flush || revision <= flush.revision) return
    clearTimeout(flush.timer)
    this.#flushes.delete(meter)
    meter.resume()
  }
}

/** Estimates the length of an item as JSON. */
function charactersOf({ account, targets }: UsageItem): number {
  return targets.reduce((sum, { host }) => sum + host.length + 40, account.length + 60)
}
