import { createSigner, createVerifier } from 'fast-jwt'
import type { Clock } from '../clock.ts'

interface Claims {
  readonly sub: string
  readonly ver: number
  readonly exp: number
}

/** Access tokens: JWT, HS256 only, claims sub, ver, iat, exp (rules 2.3). */
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
    return sign({ sub: String(accountId), ver: version, iat, exp: iat + this.lifetime })
  }

  /** @returns undefined for a token that we did not sign, or that has expired */
  read(token: string): { accountId: number; version: number } | undefined {
    try {
      const { sub, ver, exp } = this.#verify(token)
      if (!Number.isInteger(exp) || exp * 1000 <= this.#clock.now().getTime()) return undefined
      return { accountId: Number(sub), version: ver }
    } catch {
      return undefined
    }
  }
}
