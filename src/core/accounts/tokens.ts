import { randomBytes } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import type { Clock } from '../clock.ts'
import { hashOf } from '../token-hash.ts'

interface Claims {
  readonly sub: string
  readonly ver: number
  readonly exp: number
}

/** The claims of a token. */
export interface TokenClaims {
  readonly accountId: number
  readonly version: number
  readonly expiresAt: Date
  /** Hash under which the token is stored when it is ended before its time. */
  readonly hash: string
}

/** Access tokens: JWT, HS256 only, claims sub, ver, iat, exp, and jti, which makes each token unique (rules 2.3). */
export class Tokens {
  readonly #secret: string
  readonly #clock: Clock
  readonly #verify: (token: string) => Claims
  /** Lifetime of a token in seconds. */
  readonly lifetime: number

  /**
   * @param secret signing key
   * @param lifetime in seconds
   */
  constructor(secret: string, lifetime: number, clock: Clock) {
    this.#secret = secret
    this.#clock = clock
    this.lifetime = lifetime
    this.#verify = createVerifier({
      key: secret,
      algorithms: ['HS256'],
      requiredClaims: ['sub', 'ver', 'iat', 'exp'],
      // Expiry is checked below with the injected clock.
      ignoreExpiration: true,
    }) as (token: string) => Claims
  }

  issue(accountId: number, version: number): string {
    const iat = Math.floor(this.#clock.now().getTime() / 1000)
    const sign = createSigner({ key: this.#secret, algorithm: 'HS256' })
    const jti = randomBytes(9).toString('base64url')
    return sign({ sub: String(accountId), ver: version, iat, exp: iat + this.lifetime, jti })
  }

  /** @returns undefined for a token that this service did not sign, or that has expired */
  read(token: string): TokenClaims | undefined {
    try {
      const { sub, ver, exp } = this.#verify(token)
      if (!Number.isInteger(exp) || exp * 1000 <= this.#clock.now().getTime()) return undefined
      // The signature is left out: its last character can be written in several ways.
      const hash = hashOf(token.slice(0, token.lastIndexOf('.')))
      return { accountId: Number(sub), version: ver, expiresAt: new Date(exp * 1000), hash }
    } catch {
      return undefined
    }
  }
}
