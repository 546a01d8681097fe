import type { AccountsPage } from '../core/gateway/wire.ts'
import type { Refusal } from './exit.ts'
import type { Front } from './front.ts'

const WATCH_MS = 500

/** How long clients are served without an answer of the shop, in milliseconds (rules 12.6). */
export interface AloneTimes {
  /** After that new connections are refused. */
  readonly refuseMs: number
  /** After that the open ones are ended. */
  readonly endMs: number
}

export const ALONE_TIMES: AloneTimes = { refuseMs: 60_000, endMs: 300_000 }

interface ServiceOptions {
  readonly front: Front
  /** Milliseconds since the last answer of the shop. */
  readonly silentMs: () => number
  readonly times: AloneTimes
}

/** Whether clients are served. A gateway refuses them until the shop has told about all accounts. */
export class Service {
  readonly #options: ServiceOptions
  readonly #timer: NodeJS.Timeout
  /** Whether the whole list of accounts is known. */
  #isComplete = false
  #reason: Refusal | undefined = 'shop_unreachable'
  #isAbandoned = true

  constructor(options: ServiceOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), WATCH_MS).unref()
  }

  /** Called when the front has taken over a page. */
  learned({ more }: AccountsPage): void {
    // While a list is read anew, what was known is good enough.
    if (!more) this.#isComplete = true
    this.#look()
  }

  /** Called when another gateway serves the shop: nothing is known until the shop has told everything again. */
  taken(): void {
    this.#isComplete = false
    this.#look()
    this.#options.front.endTunnels()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { front, silentMs, times } = this.#options
    const silent = silentMs()
    const reason = this.#isComplete && silent < times.refuseMs ? undefined : 'shop_unreachable'
    if (reason !== this.#reason) front.refuse(reason)
    this.#reason = reason
    const isAbandoned = silent >= times.endMs
    if (isAbandoned && !this.#isAbandoned) front.endTunnels()
    this.#isAbandoned = isAbandoned
  }
}
