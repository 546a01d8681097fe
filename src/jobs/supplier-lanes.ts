import type { Logger } from 'pino'
import type { Core } from '../core/core.ts'
import { ANSWER_MS } from '../core/supply/answer-in-time.ts'
import type { LaneState } from '../core/supply/due-calls.ts'
import { LaneLoop, POLL_MS } from './lane-loop.ts'

/** Metrics of the lanes. */
export interface LaneObserver {
  /** @param outcome what a step with a call has brought, or `synced` or `sync_failed` */
  stepped(connection: string, outcome: string): void
}

interface LanesOptions {
  readonly supply: Core['supply']
  /** Wakes the lanes after a commit that may have added a call. */
  readonly onWake: (listener: () => void) => () => void
  readonly logger: Logger
  readonly observer?: LaneObserver
}

/** What is under way at one connection. */
interface Lane {
  /** Ids of calls. */
  readonly calls: Set<number>
  syncing: boolean
  /** Until then nothing is begun, as the supplier asked or after a failure; by `performance.now()`. */
  heldUntil: number
}

/**
 * Carries out the calls to suppliers, in a lane for each connection with as many requests at once as it allows, and keeps the mirror
 * of its offers fresh (rules 11.13). A supplier that hangs holds up its own lane only.
 */
export class SupplierLanes extends LaneLoop {
  readonly #options: LanesOptions
  readonly #lanes = new Map<number, Lane>()
  #hasTakenOver = false

  constructor(options: LanesOptions) {
    const { onWake, logger } = options
    // What was not answered before a stop is looked up after the next start.
    const closing = new AbortController()
    super({ onWake, closing, logger, failure: 'the lanes of suppliers could not do their round' })
    this.#options = options
  }

  protected async round(): Promise<void> {
    const { supply } = this.#options
    // What an earlier process may have sent is looked up before anything else.
    if (!this.#hasTakenOver) await supply.takeOver()
    this.#hasTakenOver = true
    for (const state of await supply.lanes()) await this.#fill(state)
  }

  /** Begins what a lane has room for; waits for none of it. */
  async #fill(state: LaneState): Promise<void> {
    const { connectionId, slots, syncDue } = state
    const lane = this.#laneOf(connectionId)
    if (performance.now() < lane.heldUntil) return
    if (syncDue && !lane.syncing) {
      lane.syncing = true
      this.begin(this.#sync(state).finally(() => (lane.syncing = false)))
    }
    const free = slots - lane.calls.size
    if (free <= 0 || !state.callsDue) return
    // Those that are under way may be among the due ones.
    const due = await this.#options.supply.due({
      connectionId,
      paused: state.paused,
      limit: slots + lane.calls.size,
    })
    for (const call of due.filter(({ id }) => !lane.calls.has(id)).slice(0, free)) {
      lane.calls.add(call.id)
      this.begin(this.#advance(state, lane, call.id).finally(() => lane.calls.delete(call.id)))
    }
  }

  #laneOf(connectionId: number): Lane {
    const lane = this.#lanes.get(connectionId) ?? { calls: new Set(), syncing: false, heldUntil: 0 }
    this.#lanes.set(connectionId, lane)
    return lane
  }

  async #advance({ name }: LaneState, lane: Lane, id: number): Promise<void> {
    const { supply, logger, observer } = this.#options
    try {
      const { outcome, retryAfterMs } = await supply.advance({ id }, this.#limit(ANSWER_MS.request))
      observer?.stepped(name, outcome)
      if (retryAfterMs !== undefined) lane.heldUntil = performance.now() + retryAfterMs
    } catch (error) {
      logger.error(
        { err: error, connection: name, call: id },
        'a call to a supplier failed and will be repeated',
      )
      observer?.stepped(name, 'error')
      // The database cannot be written just now: the lane pauses.
      lane.heldUntil = performance.now() + POLL_MS
    }
  }

  async #sync({ connectionId, name }: LaneState): Promise<void> {
    const { supply, logger, observer } = this.#options
    try {
      const synced = await supply.sync(connectionId, this.#limit(ANSWER_MS.catalogue))
      observer?.stepped(name, synced ? 'synced' : 'sync_failed')
      if (!synced) logger.warn({ connection: name }, 'the offers of a supplier could not be read')
    } catch (error) {
      logger.error({ err: error, connection: name }, 'the offers of a supplier could not be stored')
      this.#laneOf(connectionId).heldUntil = performance.now() + POLL_MS
    }
  }

  #limit(ms: number): AbortSignal {
    return AbortSignal.any([this.closing.signal, AbortSignal.timeout(ms)])
  }
}
