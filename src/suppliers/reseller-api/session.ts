import { z } from 'zod'
import { type ConnectionAccess, SupplierFault } from '../../core/supply/driver.ts'
import { supplierAddress } from '../../core/supply/supplier-url.ts'
import { type Answer, envelopeOf, readAnswer } from './answer.ts'
import { exchange, type RawAnswer } from './exchange.ts'

/** The limit of a log-in in ms, of its own, as a log-in is shared by all that wait for it. */
const LOG_IN_MS = 15_000

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  /** Path below the base address. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: object
  /** Number of the call. */
  readonly idempotencyKey?: string
  /** Ids of the services that resell what is asked for, this one not included. */
  readonly via?: readonly string[]
}

interface LoggedIn {
  readonly token: string
  readonly userId: number
}

const LogIn = z.object({
  code: z.literal(0),
  data: z.object({ token: z.string().min(1), user: z.object({ id: z.int().positive() }) }),
})
/** Statuses of a log-in that the service itself answers; others come from an address where it is not. */
const SPEAKING = [401, 403, 429]
/** Where a service of this kind has its API, below the address under which people know it (rules 1.1). */
const API = '/api'
const ENDS_WITH_API = /\/(?:[ab]\/)?api$/

/** The account at the other service: logs in when it has to, and keeps the token. */
export class Session {
  readonly #access: ConnectionAccess
  /** Where the API is; found out by the log-in where the address does not say it. */
  #base: string
  #loggedIn: Promise<LoggedIn> | undefined

  /** @throws SupplierFault `misconfigured` when address, username or password cannot be right */
  constructor(access: ConnectionAccess) {
    const { url, key, secret } = access
    const base = supplierAddress(url)
    if (key === '' || secret === '')
      throw new SupplierFault('misconfigured', 'The key is the username, the secret the password')
    this.#access = access
    this.#base = base
  }

  /** Returns the account's id at the service. */
  async userId(signal: AbortSignal): Promise<number> {
    return (await inTime(this.#login(), signal)).userId
  }

  /**
   * Sends a request, once; a second time only when the token was refused, which is found out before anything is done.
   *
   * @throws SupplierFault
   */
  async call(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const login = this.#login()
    const answer = await this.#send(request, await inTime(login, signal), signal)
    if (answer.status !== 401) return this.#read(answer)
    // Another request may have logged in again meanwhile.
    if (this.#loggedIn === login) this.#loggedIn = undefined
    return this.#read(await this.#send(request, await inTime(this.#login(), signal), signal))
  }

  /** Returns the id that the service shows at its health check, which is beside the base address; undefined when there is none. */
  async instanceId(signal: AbortSignal): Promise<string | undefined> {
    const url = new URL(`${this.#base.replace(ENDS_WITH_API, '')}/healthz`)
    const { headers } = await exchange({ method: 'GET', url, headers: this.#via(), signal })
    const id = headers['x-reseller-instance']
    return typeof id === 'string' ? id : undefined
  }

  #login(): Promise<LoggedIn> {
    return (this.#loggedIn ??= this.#logIn())
  }

  async #logIn(): Promise<LoggedIn> {
    try {
      const login = this.#loginOf(await this.#askLogIn(this.#base))
      if (typeof login !== 'number') return login
      const below = ENDS_WITH_API.test(this.#base)
        ? login
        : this.#loginOf(await this.#askLogIn(this.#base + API))
      if (typeof below === 'number')
        throw new SupplierFault('misconfigured', `There is no log-in at this address: HTTP ${login}`)
      this.#base += API
      return below
    } catch (error) {
      this.#loggedIn = undefined
      // Whatever became of the log-in, nothing else was asked for.
      if (error instanceof SupplierFault && error.kind === 'unknown') throw withKind('not_sent', error)
      throw error
    }
  }

  #askLogIn(base: string): Promise<RawAnswer> {
    const { key: username, secret: password } = this.#access
    return exchange({
      method: 'POST',
      url: new URL(`${base}/auth/login`),
      headers: this.#via(),
      body: JSON.stringify({ username, password }),
      signal: AbortSignal.timeout(LOG_IN_MS),
    })
  }

  /** @returns the status where no service answers that knows log-ins */
  #loginOf(raw: RawAnswer): LoggedIn | number {
    // These are answers of the service, or of what stands before it; #read throws the fault.
    if (raw.status >= 500 || SPEAKING.includes(raw.status)) this.#read(raw)
    const login = LogIn.safeParse(envelopeOf(raw.text))
    if (!login.success) return raw.status
    return { token: login.data.data.token, userId: login.data.data.user.id }
  }

  #send(
    { method, path, query = {}, body, idempotencyKey, via }: ApiRequest,
    { token }: LoggedIn,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const url = new URL(`${this.#base}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const headers = {
      ...this.#via(via),
      authorization: `Bearer ${token}`,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
    return exchange({ method, url, headers, body: body && JSON.stringify(body), signal })
  }

  /** Names this service and those before it, so that each recognizes its own orders (rules 4.9). */
  #via(before: readonly string[] = []): Record<string, string> {
    const { instanceId } = this.#access
    const chain = [...before, ...(instanceId === undefined ? [] : [instanceId])]
    return { 'accept-language': 'en', ...(chain.length > 0 && { 'x-reseller-via': chain.join(', ') }) }
  }

  #read(raw: RawAnswer): Answer {
    return readAnswer(raw, (text) => text.replaceAll(this.#access.secret, '…'))
  }
}

/** Waits for a log-in that others may wait for, too, no longer than this caller has time. */
function inTime(login: Promise<LoggedIn>, signal: AbortSignal): Promise<LoggedIn> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new SupplierFault('not_sent', 'The log-in was not answered in time'))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    void login.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** Returns the same fault with another kind. */
export function withKind(
  kind: SupplierFault['kind'],
  { message, retryAfterMs }: SupplierFault,
): SupplierFault {
  return new SupplierFault(kind, message, retryAfterMs === undefined ? {} : { retryAfterMs })
}
