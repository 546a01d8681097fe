import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Time in ms for which a nonce is answered; longer than any probe takes. */
const LIFETIME_MS = 60_000
/** Time and random part of a nonce, and its MAC. */
const TOKEN = /^([0-9a-z]{1,10}-[\w-]{16})\.([\w-]{43})$/

export type Echo = ReturnType<typeof echoOf>

/**
 * Makes the echo that probes of proxies ask for: whoever has a fresh token, which only the service makes, gets back its nonce and the
 * address from which the request came. The answer carries a MAC, so that a proxy cannot invent it.
 *
 * @param secret of the service; the key of the MACs
 */
export function echoOf(secret: string, clock: Clock) {
  const mac = (...parts: readonly string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['echo', ...parts]))
      .digest('base64url')

  const nonceOf = (token: string): string | undefined => {
    const [, nonce = '', given = ''] = TOKEN.exec(token) ?? []
    return nonce !== '' && same(given, mac('nonce', nonce)) ? nonce : undefined
  }

  return {
    /** Makes a token for one probe. */
    token(): string {
      const nonce = `${clock.now().getTime().toString(36)}-${randomBytes(12).toString('base64url')}`
      return `${nonce}.${mac('nonce', nonce)}`
    },
    /**
     * Returns the text of the answer: address, nonce and MAC, one a line.
     *
     * @returns undefined for a token that the service did not make, or that is too old
     */
    answer(token: string, address: string): string | undefined {
      const nonce = nonceOf(token)
      if (nonce === undefined) return undefined
      const age = clock.now().getTime() - Number.parseInt(nonce, 36)
      if (Math.abs(age) > LIFETIME_MS) return undefined
      return `${address}\n${nonce}\n${mac('answer', nonce, address)}\n`
    },
    /** Returns the address in an answer to this token; undefined when the echo did not write it. */
    addressIn(text: string, token: string): string | undefined {
      const [address = '', nonce = '', given = ''] = text.split('\n')
      const expected = nonceOf(token)
      return nonce !== '' && nonce === expected && same(given, mac('answer', nonce, address))
        ? address
        : undefined
    },
  }
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
