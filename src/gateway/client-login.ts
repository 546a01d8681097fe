import { isCountryCode } from '../core/catalog/country-code.ts'
import type { GatewayAccount, GatewayProduct } from '../core/gateway/wire.ts'
import type { Account, Accounts } from './accounts.ts'
import { basicCredentials, type Credentials } from './basic-credentials.ts'
import { type ExitWish, Refused } from './exit.ts'
import { FailedLogins } from './failed-logins.ts'

/** A client that was let in. */
export interface Client {
  readonly account: Account
  readonly wish: ExitWish
}

/** The parameters that follow the account in a username (rules 6.7). */
interface Parameters {
  readonly country: string | null
  readonly city: string | null
  readonly session: string | null
  readonly lifetime: number
}

/** How each parameter is written. */
const GRAMMAR = {
  country: /^[a-z]{2}$/i,
  city: /^[a-z0-9]{1,64}$/i,
  session: /^[a-z0-9]{6,16}$/i,
  lifetime: /^(?:[1-9]|[1-9][0-9]|1[01][0-9]|120)$/,
} as const

/** Lifetime of sessions that name none: the longest that can be named. */
const LIFETIME_MINUTES = 120
const FAILURES_PER_MINUTE = 20
/** Headers that are remembered at a time. */
const MOST_HEADERS = 10_000

/** The client that a header let in, and the record and product by which that was decided. */
interface Remembered {
  readonly client: Client
  readonly record: GatewayAccount
  readonly product: GatewayProduct | undefined
}

export interface LoginOptions {
  readonly accounts: Accounts
  /** Wrong passwords from one address in a minute, after which nobody may try from there. */
  readonly failuresPerMinute?: number
}

/** Lets clients in: by username and password, or by their address. */
export class ClientLogin {
  readonly #accounts: Accounts
  readonly #failed: FailedLogins
  readonly #remembered = new Map<string, Remembered>()

  constructor({ accounts, failuresPerMinute = FAILURES_PER_MINUTE }: LoginOptions) {
    this.#accounts = accounts
    this.#failed = new FailedLogins(failuresPerMinute, () => performance.now())
  }

  /** @throws Refused credentials_needed, credentials_wrong, too_many_failed_logins, bad_parameter, unknown_country, unknown_city */
  logIn(address: string, credentials: Credentials | undefined): Client {
    return credentials ? this.#byPassword(address, credentials) : this.#byAddress(address)
  }

  /**
   * Does the same with a `Proxy-Authorization` header. Clients send theirs with each request: the result is cached until the account or
   * its product changes.
   */
  logInBasic(address: string, header: string | undefined): Client {
    const remembered = header === undefined ? undefined : this.#remembered.get(header)
    if (remembered && this.#holds(remembered) && !this.#failed.tooMany(address)) return remembered.client
    const credentials = basicCredentials(header)
    const client = this.logIn(address, credentials)
    if (header !== undefined && credentials) this.#remember(header, client)
    return client
  }

  /** Whether a client needs no password. */
  knows(address: string): boolean {
    return this.#accounts.allowing(address)?.account.active === true
  }

  #holds({ client: { account }, record, product }: Remembered): boolean {
    const isSame = this.#accounts.find(account.username) === account && account.record === record
    return isSame && account.active && account.product === product
  }

  #remember(header: string, client: Client): void {
    if (this.#remembered.size >= MOST_HEADERS) this.#remembered.clear()
    const { record, product } = client.account
    this.#remembered.set(header, { client, record, product })
  }

  #byPassword(address: string, { username, password }: Credentials): Client {
    if (this.#failed.tooMany(address)) throw new Refused('too_many_failed_logins')
    const [name = '', ...words] = username.split('-')
    const account = this.#accounts.find(name)
    const isRight = account?.hasPassword(password) ?? false
    if (!isRight) this.#failed.count(address)
    if (!isRight || !account?.active) throw new Refused('credentials_wrong')
    return clientOf(account, parametersIn(words))
  }

  #byAddress(address: string): Client {
    const allowed = this.#accounts.allowing(address)
    if (!allowed?.account.active) throw new Refused('credentials_needed')
    const { account, country, session } = allowed
    return clientOf(account, {
      country: country?.toLowerCase() ?? null,
      city: null,
      session,
      lifetime: LIFETIME_MINUTES,
    })
  }
}

/** @throws Refused unknown_country, unknown_city */
function clientOf(account: Account, { country, city, session, lifetime }: Parameters): Client {
  const { countries = [], cities = [] } = account.product ?? {}
  const isKnown = (place: string | null, places: readonly string[]) =>
    place === null || places.length === 0 || places.includes(place)
  // A product without a list is in all countries.
  if (country !== null && !isCountryCode(country.toUpperCase()))
    throw new Refused('unknown_country', `${country} is no country`)
  if (!isKnown(country, countries)) throw new Refused('unknown_country', `the product is not in ${country}`)
  if (!isKnown(city, cities)) throw new Refused('unknown_city', `the product is not in ${city}`)
  const wish = {
    pool: account.pool,
    account: account.username,
    country,
    city,
    session,
    lifetimeMinutes: lifetime,
  }
  return { account, wish }
}

/**
 * Parses the parameters of a username. An unknown one is refused: to ignore it would lead to exits in the wrong place.
 *
 * @param words names and values in turn
 * @throws Refused bad_parameter, which names it
 */
function parametersIn(words: readonly string[]): Parameters {
  const values = new Map<string, string>()
  for (let index = 0; index < words.length; index += 2) {
    const [name = '', value = ''] = words.slice(index, index + 2)
    if (!isParameter(name)) throw new Refused('bad_parameter', `${shown(name)} is unknown`)
    if (values.has(name)) throw new Refused('bad_parameter', `${name} is there twice`)
    if (!GRAMMAR[name].test(value)) throw new Refused('bad_parameter', `${name} cannot be ${shown(value)}`)
    values.set(name, value)
  }
  return {
    country: values.get('country')?.toLowerCase() ?? null,
    city: values.get('city')?.toLowerCase() ?? null,
    session: values.get('session') ?? null,
    lifetime: Number(values.get('lifetime') ?? LIFETIME_MINUTES),
  }
}

function isParameter(name: string): name is keyof typeof GRAMMAR {
  return Object.hasOwn(GRAMMAR, name)
}

/** Quotes the beginning of what a client sent, for an answer. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 32))
}
