import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Hold } from '../../core/database/client.ts'
import type { Receiver, TakeUpdate } from './receiver.ts'
import { pauseAfter } from './telegram-error.ts'
import { UPDATE_KINDS, type UpdateKind } from './updates.ts'
import { withTimeout } from './with-timeout.ts'

/** Shorter than the time limit of a call, see `create-bot.ts`. */
const POLL_S = 15
/** The most that Telegram gives at once: the oldest that were not confirmed. */
const BATCH = 100
/** Pause between two calls while updates are in hand; it grows while nothing new comes. */
const PAUSE_MS = { first: 50, longest: 500 }
/** Age of the oldest update after which a whole batch that is in hand is confirmed before it has been handled. */
const PATIENCE_MS = 1_000
/** Most updates in hand; beyond that no more are received. */
const MAX_IN_HAND = 300
/** How long a stop waits for what is in hand; Telegram delivers it again after the start. */
const STOP_LIMIT_MS = 3_000
/** Pause in ms after another program has asked for updates: each request ends the other's. */
const CONFLICT_PAUSE_MS = 4_500
interface PollingOptions {
  /** Lets one of several servers poll (rules 10.22); undefined: there is only this one. */
  readonly hold?: Hold | undefined
  /** What is asked for. */
  readonly kinds?: readonly UpdateKind[]
}

/** How long a stop waits until Telegram has been told what was handled. */
const CONFIRM_LIMIT_MS = 1_500

/**
 * Long polling in which no chat waits for another. An update is confirmed to Telegram only when it and all before it have been
 * handled: a kill in between brings it back.
 *
 * Telegram shows the hundred oldest unconfirmed updates and no more. When all of them are in hand and the oldest is not done in
 * a second, they are confirmed, so that others need not wait behind a chat that hangs: then, and only then, a kill loses an
 * update that was received.
 */
export class Polling implements Receiver {
  readonly #api: Api
  readonly #takeUpdate: TakeUpdate
  readonly #logger: Logger
  readonly #hold: Hold | undefined
  readonly #kinds: readonly UpdateKind[]
  readonly #abort = new AbortController()
  #until: { readonly held: AbortSignal; readonly signal: AbortSignal } | undefined
  /** What was received and not confirmed, in order: whether it has been handled, and when it came. */
  readonly #unconfirmed = new Map<number, { handled: boolean; readonly since: number }>()
  readonly #inHand = new Set<Promise<void>>()
  #loop: Promise<void> = Promise.resolve()
  #started = false
  #failures = 0
  /** The first update that is not confirmed. */
  #offset = 0
  /** Called when something has been handled. */
  #onHandled: () => void = () => {}

  constructor(api: Api, take: TakeUpdate, logger: Logger, { hold, kinds = UPDATE_KINDS }: PollingOptions) {
    this.#hold = hold
    this.#kinds = kinds
    this.#api = api
    this.#takeUpdate = take
    this.#logger = logger
  }

  /** Deletes the webhook: Telegram refuses polling as long as it has one. */
  async connect(): Promise<void> {
    await this.#api.deleteWebhook()
  }

  start(): void {
    this.#started = true
    this.#loop = this.#run()
  }

  /** Ends what is in hand, as far as that does not take long, and confirms it; Telegram keeps the rest. */
  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#loop
    await withTimeout(Promise.all(this.#inHand), STOP_LIMIT_MS).catch(() => {})
    this.#confirm()
    // Another server may be polling: Telegram would end its request.
    if (this.#offset === 0 || this.#hold?.lasts === false) return
    const confirmation = this.#api.getUpdates({ offset: this.#offset, limit: 1, timeout: 0 })
    await withTimeout(confirmation, CONFIRM_LIMIT_MS).catch(() => {})
  }

  /** Whether Telegram answered the last calls. */
  get alive(): boolean {
    return this.#started && !this.#abort.signal.aborted && this.#failures < 3
  }

  async #run(): Promise<void> {
    let pause = PAUSE_MS.first
    while (!this.#abort.signal.aborted) {
      this.#confirm()
      const updates = await this.#receive()
      const fresh = updates.filter(({ update_id }) => !this.#unconfirmed.has(update_id))
      for (const update of fresh) this.#take(update)
      if (fresh.length === 0) this.#confirmUnhandled(updates)
      pause = fresh.length > 0 ? PAUSE_MS.first : Math.min(pause * 2, PAUSE_MS.longest)
      do await this.#handledOr(pause)
      while (this.#inHand.size >= MAX_IN_HAND && !this.#abort.signal.aborted)
    }
  }

  async #receive(): Promise<Update[]> {
    await this.#mayPoll()
    const { signal } = this.#abort
    try {
      const parameters = {
        offset: this.#offset,
        limit: BATCH,
        // While something is unconfirmed, Telegram would answer at once anyway.
        timeout: this.#unconfirmed.size > 0 ? 0 : POLL_S,
        allowed_updates: this.#kinds,
      }
      // grammY's types name the signal of a polyfill.
      const updates = await this.#api.getUpdates(parameters, this.#untilThen() as never)
      this.#failures = 0
      return updates
    } catch (error) {
      if (signal.aborted || this.#hold?.lasts === false) return []
      this.#failures += 1
      // The text of a network error may hold the token, so only Telegram's own words are logged.
      if (error instanceof GrammyError)
        this.#logger.warn({ reason: error.description }, 'Telegram gives no updates')
      else this.#logger.warn({ reason: 'unreachable' }, 'Telegram did not answer')
      const isConflict = error instanceof GrammyError && error.error_code === 409
      const pause = isConflict ? CONFLICT_PAUSE_MS : pauseAfter(error, this.#failures)
      await sleep(pause, undefined, { signal }).catch(() => {})
      return []
    }
  }

  /** Settles when this server holds the lead, or stops. */
  async #mayPoll(): Promise<void> {
    const { signal } = this.#abort
    if (!this.#hold || this.#hold.lasts || signal.aborted) return
    this.#logger.warn('updates are not asked for until the database answers: another server may do it')
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    await Promise.race([this.#hold.begun(), stopped])
  }

  /** Returns the signal that ends a request for updates. All requests of a hold share it: listeners would pile up at `#abort`. */
  #untilThen(): AbortSignal {
    const { signal } = this.#abort
    if (!this.#hold) return signal
    const { signal: held } = this.#hold
    if (this.#until?.held !== held) this.#until = { held, signal: AbortSignal.any([signal, held]) }
    return this.#until.signal
  }

  #take(update: Update): void {
    const entry = { handled: false, since: performance.now() }
    this.#unconfirmed.set(update.update_id, entry)
    const work = this.#takeUpdate(update).finally(() => {
      entry.handled = true
      this.#inHand.delete(work)
      this.#onHandled()
    })
    this.#inHand.add(work)
  }

  /** Moves the offset past the oldest handled updates: the next call confirms them. */
  #confirm(): void {
    for (const [id, { handled }] of this.#unconfirmed) {
      if (!handled) return
      this.#offset = id + 1
      this.#unconfirmed.delete(id)
    }
  }

  /** Confirms a whole batch that is in hand for too long: later updates are not sent before. */
  #confirmUnhandled(batch: readonly Update[]): void {
    const [oldest] = this.#unconfirmed.values()
    if (batch.length < BATCH || !oldest || performance.now() - oldest.since < PATIENCE_MS) return
    this.#logger.warn({ inHand: this.#inHand.size }, 'updates were confirmed before they were handled')
    this.#offset = (batch.at(-1)?.update_id ?? 0) + 1
    for (const { update_id } of batch) this.#unconfirmed.delete(update_id)
  }

  /** Waits until nothing is in hand, at most `ms`. */
  async #handledOr(ms: number): Promise<void> {
    if (this.#inHand.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#onHandled = () => {
        if (this.#inHand.size > 0) return
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
