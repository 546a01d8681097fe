import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import type { Clock } from '../../core/clock.ts'
import { chatIn, type KnownMessages } from './known-messages.ts'

const ATTEMPTS = 3
/** Longest pause that is waited for here. A longer one is left to the caller: a chat should not wait for it. */
const LONGEST_PAUSE_S = 8
const NETWORK_PAUSE_MS = 300
/** How long a call that is under way when the bot closes waits for its answer. */
const LAST_ANSWER_MS = 2_000
/** An idle connection is closed before Telegram closes it, which might happen while a call is being sent. */
const IDLE_MS = 20_000
/** Idempotent methods, retried after network faults; a repeated sendMessage could show twice. */
const REPEATABLE = /\/(?:get|edit|delete|answer|set)\w*$/i

/** What grammY asks of `fetch`. */
type Transport = (url: string, init: TransportInit) => Promise<{ json(): Promise<unknown> }>

interface TransportInit {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | AsyncIterable<Uint8Array>
  /** The signal of a polyfill, which Node's own functions do not all take. */
  readonly signal: Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'>
}

interface Request extends Omit<TransportInit, 'body'> {
  /** Whole, because it may have to be sent again; grammY streams files. */
  readonly body: string | Buffer | undefined
}

/** Where a method of the Bot API is called. */
interface Target {
  /** Of the bot that calls. */
  readonly token: string
  readonly method: string
  readonly request: typeof httpRequest
  readonly options: RequestOptions
  readonly repeatable: boolean
}

interface Answer {
  readonly status: number
  readonly content: string
}

/** What the calls of one bot pass. */
export interface Line {
  /** Puts the ids of Telegram in the place of those that chats have here; see `ChatKeys`. */
  readonly toTelegram?: (body: Request['body']) => Promise<Request['body']>
  /** Called with the status of each answer. */
  readonly answered?: (status: number) => void
}

/** Makes a call in another way than over HTTP; undefined for one that it does not make. */
export type Shortcut = (method: string, body: Request['body'], token: string) => Promise<Answer> | undefined

/**
 * How the bot talks to Telegram: retries on "too many requests" after the pause that Telegram names, and on network faults
 * where repeating is harmless. It sits below grammY because API calls inside a dialogue do not pass its transformers. Node's
 * `fetch` would add half to the processor time of an update (`npm run bench -- bot`).
 *
 * What Telegram would certainly refuse is not sent: a screen that is shown already, and, in the same chat, whatever comes before
 * the end of a pause that Telegram has asked for.
 *
 * @param known what the messages look like
 * @param clock for the pauses that Telegram asks for
 * @param closing ends all pauses: the calls that would be sent after them fail, and soon those that are under way
 * @returns makes the transport of a bot: connections are shared, pauses are its own
 */
export function transportsOf(
  known: KnownMessages,
  clock: Clock,
  closing: AbortSignal,
  shortcut?: Shortcut,
): (line?: Line) => Transport {
  // Every pause listens to it, and there may be many at once.
  setMaxListeners(0, closing)
  const closed = new AbortController()
  setMaxListeners(0, closed.signal)
  closing.addEventListener('abort', () => setTimeout(() => closed.abort(), LAST_ANSWER_MS).unref())
  const options = { keepAlive: true, timeout: IDLE_MS }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }

  function targetOf(targets: Map<string, Target>, address: string): Target {
    const cached = targets.get(address)
    if (cached) return cached
    const url = new URL(address)
    const secure = url.protocol === 'https:'
    const target = {
      token: /\/bot([^/]+)\//.exec(url.pathname)?.[1] ?? '',
      method: url.pathname.slice(url.pathname.lastIndexOf('/') + 1),
      request: secure ? httpsRequest : httpRequest,
      options: { ...urlToHttpOptions(url), agent: secure ? agents.https : agents.http },
      repeatable: REPEATABLE.test(url.pathname),
    }
    targets.set(address, target)
    return target
  }

  function send({ request, options }: Target, { method, headers, body, signal }: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const call = request({ ...options, method, headers: { ...headers, ...length } })
      const abort = () => call.destroy(new Error('aborted'))
      const signals = [signal, closed.signal]
      if (signals.some(({ aborted }) => aborted)) abort()
      for (const each of signals) each.addEventListener('abort', abort)
      call.once('close', () => {
        for (const each of signals) each.removeEventListener('abort', abort)
      })
      call.once('error', reject)
      call.once('response', (response) => {
        let content = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (content += chunk))
        response.once('end', () => resolve({ status: response.statusCode ?? 0, content }))
        response.once('error', reject)
      })
      call.end(body)
    })
  }

  return ({ toTelegram, answered: told } = {}) => {
    /** One for each method of the Bot API. */
    const targets = new Map<string, Target>()
    const pauses = new Pauses(clock)
    return async (address, init) => {
      const target = targetOf(targets, address)
      const request = { ...init, body: await buffered(init.body) }
      const { method } = target
      for (let attempt = 1; ; attempt += 1) {
        const last = attempt === ATTEMPTS
        const held = pauses.left(method, request.body)
        if (held > LONGEST_PAUSE_S) return answered(tooManyRequests(held))
        if (held > 0) await sleep(held * 1000, init.signal, closing)
        const answer = known.answerTo(method, request.body)
        if (answer !== undefined) return answered(answer)
        const outcome = known.follow(method, request.body)
        try {
          const sent = toTelegram ? { ...request, body: await toTelegram(request.body) } : request
          const { status, content } = await (shortcut?.(method, sent.body, target.token) ??
            send(target, sent))
          outcome(content)
          told?.(status)
          const pause = status === 429 ? pauseAskedFor(content) : undefined
          if (pause !== undefined) pauses.begin(method, request.body, pause)
          if (last || pause === undefined || pause > LONGEST_PAUSE_S) return answered(content)
        } catch (error) {
          outcome(undefined)
          if (last || init.signal.aborted || !target.repeatable) throw error
          await sleep(NETWORK_PAUSE_MS, init.signal, closing)
        }
      }
    }
  }
}

function answered(content: string) {
  return { json: async () => JSON.parse(content) as unknown }
}

/** The refusal that Telegram would send. @param seconds until its pause ends */
function tooManyRequests(seconds: number): string {
  const wait = Math.ceil(seconds)
  const description = `Too Many Requests: retry after ${wait}`
  return JSON.stringify({ ok: false, error_code: 429, description, parameters: { retry_after: wait } })
}

/** Methods that show something in a chat: Telegram counts these together, and every other method by itself. */
const SHOWS = /^(?:send|edit)/

/** The pauses that Telegram has asked for: with the messages of a chat, or with another method. */
class Pauses {
  readonly #ends = new Map<string, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(method: string, body: Request['body'], seconds: number): void {
    const name = nameOfPause(method, body)
    this.#ends.set(name, Math.max(this.#now() + seconds * 1000, this.#ends.get(name) ?? 0))
  }

  /** Seconds that are left. */
  left(method: string, body: Request['body']): number {
    if (this.#ends.size === 0) return 0
    const name = nameOfPause(method, body)
    const left = (this.#ends.get(name) ?? 0) - this.#now()
    if (left <= 0) this.#ends.delete(name)
    return Math.max(left, 0) / 1000
  }

  #now(): number {
    return this.#clock.now().getTime()
  }
}

function nameOfPause(method: string, body: Request['body']): string {
  return `${SHOWS.test(method) ? 'messages' : method} ${chatIn(body)}`
}

async function buffered(body: TransportInit['body']): Promise<Request['body']> {
  if (body === undefined || typeof body === 'string') return body
  return Buffer.concat(await Readable.from(body).toArray())
}

/** Returns the pause that an answer asks for, in seconds. */
function pauseAskedFor(content: string): number {
  const { parameters } = JSON.parse(content) as { parameters?: { retry_after?: number } }
  return parameters?.retry_after ?? 1
}

/** @throws when one of the signals comes first */
function sleep(ms: number, ...signals: readonly TransportInit['signal'][]): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => end(() => reject(new Error('aborted')))
    const timer = setTimeout(() => end(resolve), ms)
    for (const signal of signals) signal.addEventListener('abort', abort)
    if (signals.some(({ aborted }) => aborted)) abort()
  })
}
