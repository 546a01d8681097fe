import type { GatewayAccount } from '../../core/gateway/wire.ts'
import type { Quotas } from '../accounts.ts'
import type { Allowance } from '../allowance.ts'
import type { Used, WorkerReport } from './messages.ts'

/** @returns bytes; 0 when nothing is left. Does not fail. */
type Ask = (username: string) => Promise<number>

/** The quotas as a worker has them: parts that the primary has lent (rules 12.6). */
export class Leases implements Quotas {
  readonly #ask: Ask
  readonly #leases = new Map<string, Lease>()
  /** Leases of forgotten accounts, until the rest of them was returned. */
  readonly #gone = new Set<Lease>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  know({ username, status }: GatewayAccount): Allowance {
    let lease = this.#leases.get(username)
    if (!lease) this.#leases.set(username, (lease = new Lease(username, this.#ask)))
    lease.ended = status !== 'active'
    return lease
  }

  forget(username: string): void {
    const lease = this.#leases.get(username)
    if (!lease) return
    lease.ended = true
    this.#leases.delete(username)
    this.#gone.add(lease)
  }

  /** Takes out what was used since the last time, and what is not needed any more. */
  drain(): Pick<WorkerReport, 'used' | 'returned'> {
    const leases = [...this.#leases.values(), ...this.#gone]
    this.#gone.clear()
    const used = leases.flatMap((lease) => lease.drain())
    const returned = leases.flatMap((lease) => (lease.ended ? lease.giveBack() : []))
    return { used, returned }
  }

  /** Takes out what one account used, and gives back all that is left of its lease. */
  recall(username: string): Pick<WorkerReport, 'used' | 'returned'> {
    const lease = this.#leases.get(username)
    return { used: lease?.drain() ?? [], returned: lease?.giveBack() ?? [] }
  }
}

class Lease implements Allowance {
  readonly #username: string
  readonly #ask: Ask
  /** Bytes by host, since the last report. */
  readonly #used = new Map<string, number>()
  #left = 0
  /** Bytes that were lent last. */
  #size = 0
  #asking: Promise<void> | undefined
  ended = false

  constructor(username: string, ask: Ask) {
    this.#username = username
    this.#ask = ask
  }

  take(wanted: number, host: string): number {
    if (this.ended) return 0
    const granted = Math.min(wanted, this.#left)
    this.#left -= granted
    if (granted > 0) this.#used.set(host, (this.#used.get(host) ?? 0) + granted)
    // Asks before the lease is used up, so that nobody has to wait.
    if (this.#left < this.#size / 2) void this.#extend()
    return granted
  }

  async more(): Promise<boolean> {
    if (this.#left === 0 && !this.ended) await this.#extend()
    return this.#left > 0 && !this.ended
  }

  drain(): Used[] {
    const used = [...this.#used].map(([host, bytes]) => ({ username: this.#username, host, bytes }))
    this.#used.clear()
    return used
  }

  giveBack(): WorkerReport['returned'] {
    const bytes = this.#left
    this.#left = 0
    return bytes > 0 ? [{ username: this.#username, bytes }] : []
  }

  #extend(): Promise<void> {
    this.#asking ??= this.#borrow()
    return this.#asking
  }

  async #borrow(): Promise<void> {
    const bytes = await this.#ask(this.#username)
    this.#asking = undefined
    this.#size = bytes
    this.#left += bytes
  }
}
