import type { UsageItem } from '../core/gateway/wire.ts'
import type { Allowance } from './allowance.ts'

/** What was used on one day (UTC), since the last batch. */
interface DaySum {
  readonly day: number
  bytes: number
  readonly hosts: Map<string, number>
}

const DAY_MS = 86_400_000
/** Hosts that are named in a batch, for each credential and day. */
const MOST_HOSTS = 50

/**
 * The quota of one credential, and what was used of it (rules 12.6). What may be used is what the shop knew to be left when it had
 * counted a batch, less all that was used since: in later batches, in no batch yet, or reserved.
 */
export class Meter implements Allowance {
  readonly username: string
  readonly #now: () => number
  readonly #changed: (meter: Meter) => void
  /** Whether hosts are counted. */
  targets = false
  /** Id of the flush that came last, done or not. */
  lastFlush = -1
  #remaining = 0
  /** The last batch that the shop had counted, and the revision of the account, when it told what remains. */
  #sequence = -1
  #revision = -1
  /** Bytes of the batches after that one, by number. */
  readonly #batches = new Map<number, number>()
  #sums: DaySum[] = []
  #reserved = 0
  /** Bytes that may be taken now. */
  #left = 0
  #suspended = false
  #ended = false
  readonly #waiting: (() => void)[] = []

  /**
   * @param now the time of day, in milliseconds
   * @param changed called when there is something to drain
   */
  constructor(username: string, now: () => number, changed: (meter: Meter) => void) {
    this.username = username
    this.#now = now
    this.#changed = changed
  }

  take(wanted: number, host: string): number {
    const granted = this.reserve(wanted)
    if (granted > 0) this.use(granted, host)
    return granted
  }

  async more(): Promise<boolean> {
    while (this.#suspended && !this.#ended) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return !this.#ended && this.#left > 0
  }

  /**
   * Sets bytes aside that nobody else can take; each of them is used or released later.
   *
   * @returns how many: fewer than wanted when less is left
   */
  reserve(wanted: number): number {
    if (this.#suspended || this.#ended) return 0
    const granted = Math.max(0, Math.min(wanted, this.#left))
    this.#left -= granted
    this.#reserved += granted
    return granted
  }

  /** Counts reserved bytes as used for a host. */
  use(bytes: number, host: string): void {
    if (this.#sums.length === 0) this.#changed(this)
    const sum = this.#sumOf(Math.floor(this.#now() / DAY_MS))
    sum.bytes += bytes
    if (this.targets) sum.hosts.set(host, (sum.hosts.get(host) ?? 0) + bytes)
    this.#reserved -= bytes
  }

  /** Gives back reserved bytes. */
  release(bytes: number): void {
    this.#reserved -= bytes
    this.#left += bytes
  }

  /** Bytes that may be reserved now; negative when more was used than the shop knew of. */
  get left(): number {
    return this.#left
  }

  /** Bytes that are reserved, and neither used nor released. */
  get reserved(): number {
    return this.#reserved
  }

  /** Nothing can be taken until {@link resume}. */
  suspend(): void {
    this.#suspended = true
  }

  resume(): void {
    this.#suspended = false
    this.#wake()
  }

  /** Nothing can be taken any more, or again. */
  set ended(ended: boolean) {
    this.#ended = ended
    if (ended) this.#wake()
  }

  /**
   * Takes over what the shop knows, unless it is older than what is known here.
   *
   * @param sequence the last batch that it had counted
   * @param anyRevision the revision cannot be compared with those before
   */
  know(remaining: number, sequence: number, revision: number, anyRevision = false): void {
    // The shop knew less when it said this.
    if (sequence < this.#sequence) return
    if (sequence === this.#sequence && revision <= this.#revision && !anyRevision) return
    this.#remaining = remaining
    this.#sequence = sequence
    this.#revision = revision
    for (const batch of this.#batches.keys()) if (batch <= sequence) this.#batches.delete(batch)
    this.#reckon()
  }

  /** Lowers the numbers of the batches that the shop has not counted. */
  renumber(by: number): void {
    this.#sequence -= by
    const batches = [...this.#batches]
    this.#batches.clear()
    for (const [sequence, bytes] of batches) this.#batches.set(sequence - by, bytes)
  }

  /** Adds the bytes of a batch that the shop may not have counted. */
  charge(sequence: number, bytes: number): void {
    if (sequence <= this.#sequence) return
    this.#batches.set(sequence, (this.#batches.get(sequence) ?? 0) + bytes)
    this.#reckon()
  }

  /** Moves what was used into a batch; one item for each day. */
  drain(sequence: number): UsageItem[] {
    const items = this.#sums.map((sum) => itemOf(this.username, sum))
    this.#sums = []
    for (const { bytes } of items) this.charge(sequence, bytes)
    return items
  }

  #reckon(): void {
    let used = this.#reserved
    for (const bytes of this.#batches.values()) used += bytes
    for (const { bytes } of this.#sums) used += bytes
    this.#left = this.#remaining - used
  }

  #sumOf(day: number): DaySum {
    const last = this.#sums.at(-1)
    if (last?.day === day) return last
    let sum = this.#sums.find((one) => one.day === day)
    if (!sum) this.#sums.push((sum = { day, bytes: 0, hosts: new Map() }))
    return sum
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

function itemOf(account: string, { day, bytes, hosts }: DaySum): UsageItem {
  const largest = [...hosts].toSorted(([, a], [, b]) => b - a).slice(0, MOST_HOSTS)
  const targets = largest.map(([host, sum]) => ({ host, bytes: sum }))
  return { account, day: new Date(day * DAY_MS).toISOString().slice(0, 10), bytes, targets }
}
