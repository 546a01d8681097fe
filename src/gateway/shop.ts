import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import { AccountsPage, UsageAnswer, type UsageBatch } from '../core/gateway/wire.ts'
import type { Journal } from './journal.ts'
import { ShopRequests } from './shop-request.ts'

/** How long the shop may hold back its answer when nothing has changed: less than the time after which another gateway may begin. */
const WAIT_S = 10
const ANSWER_MS = 10_000
const FIRST_PAUSE_MS = 200
const MAX_PAUSE_MS = 5_000

/** Callbacks for what the shop answers. */
export interface ShopListener {
  page(page: AccountsPage): void
  answered(answer: UsageAnswer): void
  /** Another gateway serves the shop, or did a moment ago: this one must not, until the next page. */
  taken(): void
  /** The numbers of batches that were not counted have become lower by `by`. */
  renumbered(by: number): void
}

interface ShopOptions {
  /** Without a slash at the end, such as `https://shop.example.com`. */
  readonly url: string
  readonly token: string
  readonly journal: Journal
  readonly logger: Logger
  readonly listener: ShopListener
}

interface AskOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Sent as JSON; without one nothing is sent. */
  readonly body?: object
}

/** What the shop answers instead of a success. */
const Failure = z.object({
  error: z.string(),
  data: z.object({ retry_after: z.number(), expected: z.int() }).partial().nullish(),
})

/** The shop did not do what it was asked for. */
class Unanswered extends Error {
  readonly failure: z.output<typeof Failure> | undefined

  constructor(message: string, failure?: z.output<typeof Failure>) {
    super(message)
    this.failure = failure
  }
}

/** The client of the shop (rules 12.2, 12.3): learns what changes, and posts the batches of the journal in their order. */
export class Shop {
  readonly #options: ShopOptions
  readonly #requests: ShopRequests
  readonly #learning = new AbortController()
  readonly #posting = new AbortController()
  #answeredAt = -Infinity
  #silent = false
  /** The last batch that may have been sent; those after it never were. */
  #sent: number
  /** The last batch that the shop has counted, where the journal does not have it. */
  #ahead: number | undefined
  #cursor: string | undefined
  #wakePoster = () => {}
  readonly #allCounted: (() => void)[] = []
  #loops: Promise<unknown> = Promise.resolve()

  constructor(options: ShopOptions) {
    this.#options = options
    this.#requests = new ShopRequests(options.url)
    // A process before this one may have sent them all.
    this.#sent = options.journal.last
  }

  start(): void {
    this.#loops = Promise.all([this.#learn(), this.#postAll()])
  }

  /** Milliseconds since the shop answered last; Infinity when it never did. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt
  }

  /** There are new batches in the journal. */
  wake(): void {
    this.#wakePoster()
  }

  /** Stops asking for changes; batches are still posted. */
  stopLearning(): void {
    this.#learning.abort()
  }

  /** Settles when all batches of the journal have been counted, or after some time. */
  async posted(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const counted = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs)
      this.#allCounted.push(resolve)
      this.#wakePoster()
    })
    await counted.finally(() => clearTimeout(timer))
  }

  async stop(): Promise<void> {
    this.#learning.abort()
    this.#posting.abort()
    this.#wakePoster()
    await this.#loops
    this.#requests.close()
  }

  /** Asks again and again what has changed. */
  async #learn(): Promise<void> {
    const { signal } = this.#learning
    await this.#repeat(signal, async () => {
      const { journal, listener } = this.#options
      const { id } = journal
      const cursor = this.#cursor
      const query = new URLSearchParams({ wait: String(WAIT_S), ...(cursor !== undefined && { cursor }) })
      const page = await this.#ask(AccountsPage, `accounts?${query.toString()}`, {
        timeoutMs: WAIT_S * 1_000 + ANSWER_MS,
        signal,
      })
      if (journal.id !== id) return
      if (page.sequence > journal.last) {
        // Renamed by the posting loop: a batch may be under way.
        this.#ahead = page.sequence
        this.#wakePoster()
        throw new Unanswered('it has counted batches that are not in the journal')
      }
      listener.page(page)
      journal.counted(page.sequence)
      this.#cursor = page.cursor
    })
  }

  async #postAll(): Promise<void> {
    await this.#repeat(this.#posting.signal, async () => {
      const { journal, listener } = this.#options
      if (this.#ahead !== undefined) return this.#rename(this.#ahead)
      const [batch] = journal.pending
      if (!batch) {
        for (const resolve of this.#allCounted.splice(0)) resolve()
        return new Promise((resolve) => void (this.#wakePoster = resolve))
      }
      const wasSent = batch.sequence <= this.#sent
      this.#sent = Math.max(this.#sent, batch.sequence)
      const answer = await this.#post(batch)
      if (!answer) return
      // Another gateway has a copy of the journal, and has used the number for another batch. A batch that is the same was delivered
      // twice on the way, as a balancer does when a server ends before it has answered.
      if (answer.replayed && !wasSent && !answer.same) return this.#rename(0)
      listener.answered(answer)
      journal.counted(answer.sequence)
    })
  }

  /** @returns undefined when the shop expects another batch */
  async #post(batch: UsageBatch): Promise<UsageAnswer | undefined> {
    const { journal } = this.#options
    try {
      return await this.#ask(UsageAnswer, 'usage', {
        timeoutMs: ANSWER_MS,
        signal: this.#posting.signal,
        body: batch,
      })
    } catch (error) {
      const { error: code, data } = (error as Unanswered).failure ?? {}
      if (code !== 'usage_out_of_order' || data?.expected === undefined) throw error
      const { expected } = data
      const has = expected >= batch.sequence && expected <= journal.last + 1
      if (has) journal.counted(expected - 1)
      else await this.#rename(expected - 1)
      return undefined
    }
  }

  /**
   * Begins a new journal where the shop and this one do not remember the same batches: one of them was lost, or is a copy.
   *
   * @param counted the last batch that the shop has counted
   */
  async #rename(counted: number): Promise<void> {
    const { journal, logger, listener } = this.#options
    logger.warn('the shop has counted other batches than the journal holds: a new journal begins')
    // What was never sent was not counted, whatever the shop has under its number.
    journal.counted(Math.min(counted, this.#sent))
    await journal.renamed((by) => listener.renumbered(by))
    this.#sent = 0
    this.#ahead = undefined
    this.#cursor = undefined
  }

  /** Repeats a step; after a failure with pauses that grow. */
  async #repeat(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        await step()
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        const backoffMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++) * (0.5 + Math.random() / 2)
        await pause(this.#refusal(error) ?? backoffMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** @returns milliseconds to wait, where the shop said so */
  #refusal(error: unknown): number | undefined {
    const { logger, listener } = this.#options
    const { failure, message } = error as Unanswered
    const taken = failure?.error === 'gateway_taken'
    // Logged once until the next answer.
    if (!this.#silent) logger.warn({ reason: message }, 'the shop does not answer as it should')
    this.#silent = true
    if (!taken) return undefined
    this.#cursor = undefined
    listener.taken()
    return Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, (failure.data?.retry_after ?? 1) * 1_000))
  }

  async #ask<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    { timeoutMs, signal, body }: AskOptions,
  ): Promise<z.output<Schema>> {
    const { token, journal } = this.#options
    const response = await this.#requests.ask({
      path: `/api/gateway/v1/${path}`,
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        'gateway-id': journal.id,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: body && JSON.stringify(body),
      timeoutMs,
      signal,
    })
    if ('failure' in response) throw new Unanswered(response.failure)
    const { status, text } = response
    let data: z.output<Schema>
    try {
      const answer: unknown = JSON.parse(text)
      if (status !== 200) {
        const failure = Failure.safeParse(answer).data
        throw new Unanswered(`status ${status} ${failure?.error ?? ''}`.trimEnd(), failure)
      }
      data = schema.parse(z.object({ code: z.literal(0), data: z.unknown() }).parse(answer).data)
    } catch (error) {
      throw error instanceof Unanswered ? error : new Unanswered(reasonOf(error))
    }
    this.#answeredAt = performance.now()
    if (this.#silent) this.#options.logger.info('the shop answers')
    this.#silent = false
    return data
  }
}

/** Why an answer cannot be used: in few words, without anything that was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `the answer is malformed at ${error.issues[0]?.path.join('.')}`
  return 'the answer is no JSON'
}
