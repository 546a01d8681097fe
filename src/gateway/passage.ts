import type { Account, Closable } from './accounts.ts'
import type { Allowance } from './allowance.ts'
import { type ExitConnection, Refused } from './exit.ts'

/** The place that a tunnel or request has among the connections of its account, from before it is opened until it is closed. */
export class Passage implements Closable {
  place = -1
  readonly allowance: Allowance
  /** The host for which bytes are counted. */
  readonly host: string
  readonly #account: Account
  readonly #left: () => void
  #connection: ExitConnection | undefined
  #bytes = 0
  /** Called when the account ends. */
  onClose: () => void = () => {}

  /**
   * @param most how many connections an account may have
   * @param left called when the place is free again
   * @throws Refused too_many_connections
   */
  constructor(account: Account, host: string, most: number, left: () => void) {
    if (account.connections.size >= most) throw new Refused('too_many_connections')
    this.allowance = account.allowance
    this.host = host
    this.#account = account
    this.#left = left
    account.connections.add(this)
  }

  /** The connection to the target. */
  set connection(connection: ExitConnection) {
    this.#connection = connection
  }

  /** @see Allowance.take */
  take(wanted: number): number {
    const granted = this.allowance.take(wanted, this.host)
    this.#bytes += granted
    return granted
  }

  close(): void {
    this.onClose()
  }

  /** Frees the place; later calls do nothing. */
  leave(): void {
    if (!this.#account.connections.delete(this)) return
    this.#connection?.ended(this.#bytes)
    this.#left()
  }
}
