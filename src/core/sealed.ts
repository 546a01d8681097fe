import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export type Sealing = ReturnType<typeof sealing>

/**
 * Encrypts values for the database, so that reading the database reveals no password.
 *
 * @param secret the service's secret, from which the key is derived
 * @param purpose part of the derivation: each purpose has its own key
 */
export function sealing(secret: string, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

  return {
    /** @param owner name of the owner; opening needs the same one */
    seal(value: unknown, owner: string): string {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')
    },
    /** @returns undefined for what was sealed with another secret or for another owner */
    open(sealed: string, owner: string): unknown {
      const bytes = Buffer.from(sealed, 'base64')
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
        decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
        return JSON.parse(text.toString()) as unknown
      } catch {
        return undefined
      }
    },
    /** Returns a keyed hash, from which the text cannot be guessed without the secret. */
    digest: (text: string): string => createHmac('sha256', key).update(text).digest('base64url'),
  }
}
