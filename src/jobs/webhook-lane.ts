import type { Logger } from 'pino'
import type { Core } from '../core/core.ts'
import type { WebhookOutside } from '../core/webhooks/attempt-delivery.ts'
import type { DueDelivery, WebhookLane as Lane } from '../core/webhooks/due-deliveries.ts'
import { LaneLoop, POLL_MS } from './lane-loop.ts'

/** Deliveries under way at once, in all and to one host. */
const MOST = 256
const MOST_PER_HOST = 32
/** Failures in a row after which a webhook gets one delivery at a time, so that one that hangs holds up no other. */
const FAILURES = 5

/** Metrics of the lane. */
export interface WebhookObserver {
  /** @param outcome what an attempt has brought: delivered, waiting (it is repeated), failed (given up) */
  attempted(outcome: string): void
}

interface LaneOptions {
  readonly webhooks: Core['webhooks']
  readonly outside: WebhookOutside
  /** Wakes the lane after a commit that may have added an event. */
  readonly onWake: (listener: () => void) => () => void
  /** Ends what is under way, and closes the connections that are kept; what was not answered is sent again after the next start. */
  readonly closing: AbortController
  readonly logger: Logger
  readonly observer?: WebhookObserver
}

/** Delivers events to webhooks (rules 19.6): many at once, but few to one host, and one at a time to a webhook that fails. */
export class WebhookDeliveries extends LaneLoop {
  readonly #options: LaneOptions
  /** Ids of the deliveries under way, by webhook. */
  readonly #inHand = new Map<number, Set<number>>()
  readonly #perHost = new Map<string, number>()
  /** Failures in a row, by webhook. */
  readonly #failures = new Map<number, number>()

  constructor(options: LaneOptions) {
    const { onWake, closing, logger } = options
    super({ onWake, closing, logger, failure: 'the deliveries to webhooks could not do their round' })
    this.#options = options
  }

  protected async round(): Promise<void> {
    for (const lane of await this.#options.webhooks.lanes()) await this.#fill(lane)
  }

  /** Begins what there is room for; waits for none of it. */
  async #fill(lane: Lane): Promise<void> {
    const { host } = new URL(lane.url)
    const inHand = this.#inHand.get(lane.id) ?? new Set<number>()
    const own = (this.#failures.get(lane.id) ?? 0) < FAILURES ? Infinity : 1 - inHand.size
    const limit = Math.min(MOST - this.busy, MOST_PER_HOST - (this.#perHost.get(host) ?? 0), own)
    if (limit <= 0) return
    const due = await this.#options.webhooks.due({ webhookId: lane.id, limit, inHand: [...inHand] })
    if (due.length === 0) return
    this.#inHand.set(lane.id, inHand)
    for (const delivery of due) this.#begin(lane, host, inHand, delivery)
  }

  #begin(lane: Lane, host: string, inHand: Set<number>, delivery: DueDelivery): void {
    inHand.add(delivery.id)
    this.#perHost.set(host, (this.#perHost.get(host) ?? 0) + 1)
    const done = () => {
      inHand.delete(delivery.id)
      if (inHand.size === 0) this.#inHand.delete(lane.id)
      const left = (this.#perHost.get(host) ?? 1) - 1
      if (left > 0) this.#perHost.set(host, left)
      else this.#perHost.delete(host)
    }
    this.begin(this.#deliver(lane, delivery).finally(done))
  }

  async #deliver(lane: Lane, delivery: DueDelivery): Promise<void> {
    const { webhooks, outside, logger, observer } = this.#options
    try {
      const result = await webhooks.attempt(outside, lane, delivery)
      if (!result) return
      if (result.status === 'delivered') this.#failures.delete(lane.id)
      else this.#failures.set(lane.id, (this.#failures.get(lane.id) ?? 0) + 1)
      observer?.attempted(result.status)
      await webhooks.settle(result)
    } catch (error) {
      // The database cannot be written just now: it is sent again, with the same id.
      logger.error({ err: error, webhook: lane.id }, 'a delivery to a webhook could not be noted')
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
