import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type ErrorCode, ServiceError } from '../core/errors.ts'
import { isThisMachine } from '../core/public-url.ts'
import type { Action, Answer } from '../operator/action.ts'
import { Refusal, wrongUse } from '../operator/refusal.ts'
import { productVersion } from '../product-version.ts'
import { wordRemoteIssues } from './refusal-texts.ts'

/** A service takes long for what asks suppliers or the chain. */
const LIMIT_MS = 120_000

const Body = z.object({
  error: z.string().optional(),
  message: z.string(),
  data: z.unknown(),
})
const Sessions = z.record(z.string(), z.object({ token: z.string(), expires_at: z.string() }))
const Opened = z.object({
  token: z.string(),
  expires_at: z.string(),
  person: z.string().nullable(),
  role: z.string(),
})
const Answered = z.object({ result: z.object({}).loose(), text: z.string(), warnings: z.array(z.string()) })
const Issues = z.object({
  errors: z.array(z.object({ field: z.string(), rule: z.string(), message: z.string() })),
})

/** A service on another machine, asked by its REST (rules 14.11). Sessions are kept in a file of the person's own. */
export class RemoteService {
  readonly url: string
  readonly #file: string

  /**
   * @param url of the service
   * @param env tells where the person's settings are
   * @throws Refusal for an address over which a token could be read
   */
  constructor(url: string, env: NodeJS.ProcessEnv) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw wrongUse('--server must be an address such as https://shop.example.com')
    if (new URL(url).protocol === 'http:' && !isThisMachine(url))
      throw wrongUse('--server must be https; http is for this machine only')
    this.url = url.replace(/\/+$/, '')
    const settings = env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
    this.#file = join(settings, 'proxy-reseller', 'sessions.json')
  }

  /**
   * Opens a session by a link of the chat, or its code.
   *
   * @throws Refusal when it does not work (any more)
   */
  async logIn(link: string): Promise<z.output<typeof Opened>> {
    const code = URL.canParse(link) ? (new URL(link).searchParams.get('code') ?? '') : link
    const opened = Opened.parse(await this.#call('POST', '/session', { code }))
    this.#keep({ ...this.#sessions(), [this.url]: opened })
    return opened
  }

  async logOut(): Promise<void> {
    await this.#call('DELETE', '/session')
    const { [this.url]: _ended, ...others } = this.#sessions()
    this.#keep(others)
  }

  /**
   * Has an action carried out.
   *
   * @throws ServiceError, Refusal: as the service refuses it
   */
  async ask({ name, reads }: Action, input: object): Promise<Answer<object>> {
    const path = `/${name.replaceAll(' ', '/')}`
    const data = reads
      ? await this.#call('GET', `${path}?${queryOf(input).toString()}`)
      : await this.#call('POST', path, input)
    const { result, text, warnings } = Answered.parse(data)
    return { data: result, text, warnings }
  }

  async #call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const session = this.#sessions()[this.url]
    const response = await fetch(`${this.url}/operator/api${path}`, {
      method,
      headers: {
        'user-agent': `operator ${productVersion()}`,
        ...(session && { authorization: `Bearer ${session.token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
      redirect: 'error',
    }).catch((error: unknown) => {
      const { cause } = error as { cause?: { message?: string } }
      throw new Refusal('unreachable', `${this.url} does not answer: ${cause?.message ?? String(error)}`)
    })
    const answer = Body.safeParse(await response.json().catch(() => undefined))
    if (!answer.success)
      throw new Refusal(
        'unreachable',
        `What answers at ${this.url} is not this service (HTTP ${response.status})`,
      )
    if (response.ok) return answer.data.data
    throw refusalOfAnswer(answer.data)
  }

  #sessions(): z.output<typeof Sessions> {
    try {
      return Sessions.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      // There is none yet, or it was damaged: whoever comes logs in anew.
      return {}
    }
  }

  #keep(sessions: z.output<typeof Sessions>): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    writeFileSync(this.#file, JSON.stringify(sessions), { mode: 0o600 })
  }
}

function queryOf(input: object): URLSearchParams {
  const given = Object.entries(input as Readonly<Record<string, unknown>>).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      Array.isArray(value) ? value.join(',') : String(value as string | number | boolean),
    ]),
  )
}

function refusalOfAnswer({ error = 'internal_error', message, data }: z.output<typeof Body>): Error {
  if (error === 'token_missing' || error === 'token_invalid')
    return new Refusal(
      error,
      'You are not logged in there: make a link in the chat (Operator, On the web), then `log-in`',
    )
  const issues = Issues.safeParse(data)
  if (issues.success) {
    const lines = wordRemoteIssues(issues.data.errors)
    return new Refusal(error, lines.join('\n'), { data: issues.data, lines })
  }
  if (error === 'internal_error' || error === 'unavailable') return new Refusal(error, message)
  return new ServiceError(error as ErrorCode, data === null ? {} : { data: data as Record<string, unknown> })
}
