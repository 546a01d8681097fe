import { randomInt } from 'node:crypto'
import type { Gateway } from '../catalog/gateway.ts'
import { plain } from '../catalog/offered-places.ts'
import { cityName } from '../catalog/places.ts'
import { InvalidInput } from '../errors.ts'
import {
  DEFAULT_FORMAT,
  DELIMITERS,
  type ExtractionRequest,
  FORMAT_WORD,
  partOf,
  type PROTOCOLS,
} from './extraction-input.ts'

/** What a client of the gateway connects with. */
export interface ProxyCredential {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly protocol: (typeof PROTOCOLS)[number]
  /** Keeps its exit; null: every request may get another one. */
  readonly session: string | null
  readonly countryCode: string | null
  readonly proxyUrl: string
}

/** A traffic account at its gateway. */
export interface GatewayLogin extends Gateway {
  readonly username: string
  readonly password: string
}

/** The part of an extraction that makes credentials what they are. */
export type CredentialOptions = Pick<ExtractionRequest, 'countryCode' | 'cityCode' | 'extractConfig'>

const SESSION_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'
const SESSION_LENGTH = 8

/**
 * Credentials in the grammar of rules 6.7:
 * `<account>[-country-us][-city-losangeles][-session-<6..16 alphanumerics>][-lifetime-<minutes>]`. Nothing is stored: the
 * gateway reads from the username what it shall do.
 *
 * @throws validation_error when the city is not in the country
 */
export function makeCredentials(login: GatewayLogin, options: CredentialOptions): ProxyCredential[] {
  const { quantity, sticky, validTime, protocol } = options.extractConfig
  const place = placeOf(options)
  const target = [
    ...(place.countryCode ? [`-country-${place.countryCode.toLowerCase()}`] : []),
    ...(place.city ? [`-city-${place.city}`] : []),
  ].join('')
  return Array.from({ length: quantity }, () => {
    const session = sticky ? newSession() : null
    const username = `${login.username}${target}${session === null ? '' : `-session-${session}-lifetime-${validTime}`}`
    const { host, port, password } = login
    return {
      host,
      port,
      username,
      password,
      protocol,
      session,
      countryCode: place.countryCode,
      // No character of it needs escaping.
      proxyUrl: `${protocol}://${username}:${password}@${host}:${port}`,
    }
  })
}

/** Credentials as text, in the format and with the delimiter that were asked for. */
export function credentialLines(
  credentials: readonly ProxyCredential[],
  { extractConfig: { format, delimiter } }: CredentialOptions,
): string {
  return credentials
    .map((credential) =>
      (format ?? DEFAULT_FORMAT).replaceAll(FORMAT_WORD, (word) => String(credential[partOf(word)])),
    )
    .join(DELIMITERS[delimiter])
}

/** A UN/LOCODE says the country as well; a name may be written as people write it. */
function placeOf({ countryCode, cityCode }: CredentialOptions): {
  countryCode: string | null
  city: string | null
} {
  if (!cityCode) return { countryCode: countryCode ?? null, city: null }
  const code = cityCode.toUpperCase()
  const name = cityName(code, 'en')
  const known = name !== code
  if (known && countryCode && !code.startsWith(countryCode))
    throw InvalidInput.of('cityCode', 'city_not_in_country')
  return {
    countryCode: countryCode ?? (known ? code.slice(0, 2) : null),
    city: plain(known ? name : cityCode),
  }
}

function newSession(): string {
  return Array.from(
    { length: SESSION_LENGTH },
    () => SESSION_ALPHABET[randomInt(SESSION_ALPHABET.length)],
  ).join('')
}
