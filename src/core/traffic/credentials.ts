import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Gateway } from '../catalog/gateway.ts'
import { wordOfCity } from '../catalog/offered-places.ts'
import { englishCityName } from '../catalog/places.ts'
import { InvalidInput } from '../errors.ts'
import { type HeldOf, record } from '../record.ts'
import {
  DEFAULT_FORMAT,
  DELIMITERS,
  type ExtractionRequest,
  FORMAT_WORD,
  partOfWord,
  PROTOCOLS,
} from './extraction-input.ts'

/** Address and login with which a client connects to the gateway. */
export const ProxyCredentialRecord = record({
  host: z.string(),
  port: z.int(),
  username: z.string(),
  password: z.string(),
  protocol: z.enum(PROTOCOLS),
  /** Requests of the same session keep their exit; null: every request may get another one. */
  session: z.string().nullable().meta({ description: 'Of a sticky credential' }),
  countryCode: z.string().nullable(),
  proxyUrl: z.string(),
})
export type ProxyCredential = HeldOf<typeof ProxyCredentialRecord>

/** Address of a gateway and the login of a traffic account there. */
export interface GatewayLogin extends Gateway {
  readonly username: string
  readonly password: string
}

/** The part of an extraction request that determines the credentials. */
export type CredentialOptions = Pick<ExtractionRequest, 'countryCode' | 'cityCode' | 'extractConfig'>

const SESSION_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'
const SESSION_LENGTH = 8

/**
 * Makes credentials in the grammar of rules 6.7:
 * `<account>[-country-us][-city-losangeles][-session-<6..16 alphanumerics>][-lifetime-<minutes>]`. Nothing is stored: the
 * gateway reads the parameters from the username.
 *
 * @throws validation_error when the city is not in the country
 */
export function makeCredentials(login: GatewayLogin, options: CredentialOptions): ProxyCredential[] {
  const { quantity, sticky, validTime, protocol } = options.extractConfig
  const place = targetPlaceOf(options)
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
      // Neither usernames nor passwords have characters that need escaping.
      proxyUrl: `${protocol}://${username}:${password}@${host}:${port}`,
    }
  })
}

/** Writes credentials as text, in the requested format and with the requested delimiter. */
export function credentialLines(
  credentials: readonly ProxyCredential[],
  { extractConfig: { format, delimiter } }: CredentialOptions,
): string {
  return credentials
    .map((credential) =>
      (format ?? DEFAULT_FORMAT).replaceAll(FORMAT_WORD, (word) => String(credential[partOfWord(word)])),
    )
    .join(DELIMITERS[delimiter])
}

/** Returns country and city of the request. A UN/LOCODE implies its country; a city name loses case, accents and spaces. */
function targetPlaceOf({ countryCode, cityCode }: CredentialOptions): {
  countryCode: string | null
  city: string | null
} {
  if (!cityCode) return { countryCode: countryCode ?? null, city: null }
  const code = cityCode.toUpperCase()
  const name = englishCityName(code)
  const known = name !== code
  if (known && countryCode && !code.startsWith(countryCode))
    throw InvalidInput.of('cityCode', 'city_not_in_country')
  return {
    countryCode: countryCode ?? (known ? code.slice(0, 2) : null),
    city: wordOfCity(cityCode),
  }
}

function newSession(): string {
  return Array.from(
    { length: SESSION_LENGTH },
    () => SESSION_ALPHABET[randomInt(SESSION_ALPHABET.length)],
  ).join('')
}
