import type { Attempt } from './attempt.ts'
import type { Connection } from './connection.ts'

/** Where a client wants to go, as it said it. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** Which exit is wanted (rules 12.11). */
export interface ExitWish {
  readonly pool: string
  /** The account that asks: sessions of different accounts have nothing to do with each other. */
  readonly account: string
  /** Lower-case; null: any. */
  readonly country: string | null
  readonly city: string | null
  /** Requests of the same session keep their exit; null: each may get another one. */
  readonly session: string | null
  /** How long a session keeps its exit, from its first use on. */
  readonly lifetimeMinutes: number
}

/** A connection through an exit, open as far as the target. */
export interface ExitConnection {
  readonly socket: Connection
  readonly exitId: number
  /** Called once, when the connection has ended, with the bytes that it carried. */
  ended(bytes: number): void
}

/** Why a client gets no connection: the reason in the answer. */
export type Refusal =
  | 'bad_request'
  | 'coding_unknown'
  | 'bad_target'
  | 'bad_parameter'
  | 'unknown_country'
  | 'unknown_city'
  | 'credentials_needed'
  | 'credentials_wrong'
  | 'too_many_failed_logins'
  | 'traffic_exhausted'
  | 'target_refused'
  | 'port_refused'
  | 'too_many_connections'
  | 'target_unreachable'
  | 'target_timeout'
  | 'exit_failed'
  | 'exit_timeout'
  | 'no_exit'
  | 'shop_unreachable'
  | 'draining'

export class Refused extends Error {
  readonly refusal: Refusal
  readonly detail: string | undefined

  /** @param detail for people: what exactly, such as the name of a parameter; no secrets */
  constructor(refusal: Refusal, detail?: string, options?: ErrorOptions) {
    super(detail ? `${refusal}: ${detail}` : refusal, options)
    this.refusal = refusal
    this.detail = detail
  }
}

export interface Exits {
  /**
   * Connects to the target through an exit. When an exit fails before a byte has flown, another one is tried once.
   *
   * @throws Refused no_exit, exit_failed, exit_timeout, target_refused, target_unreachable, target_timeout
   */
  connect(wish: ExitWish, target: Target, attempt: Attempt): Promise<ExitConnection>
}
