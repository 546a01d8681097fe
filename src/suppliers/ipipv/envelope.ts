import { createCipheriv, createDecipheriv } from 'node:crypto'
import { SupplierFault } from '../../core/supply/driver.ts'

const CIPHER = 'aes-256-cbc'
const KEY_BYTES = 32
const IV_BYTES = 16

export interface Envelope {
  /** Returns the content as JSON, encrypted, in base64. */
  seal(content: unknown): string
  /** @throws where the text was not made with the same secret, or holds no JSON */
  open(sealed: string): unknown
}

/**
 * Makes the encryption of the platform's parameters and data: AES-256-CBC with the bytes of the app secret as key and the first 16 of
 * them as initialization vector.
 *
 * @throws SupplierFault `misconfigured` unless the secret has 32 bytes
 */
export function envelopeOf(secret: string): Envelope {
  const key = Buffer.from(secret)
  if (key.length !== KEY_BYTES)
    throw new SupplierFault('misconfigured', `the secret has ${key.length} bytes instead of ${KEY_BYTES}`)
  const iv = key.subarray(0, IV_BYTES)
  return {
    seal(content) {
      const cipher = createCipheriv(CIPHER, key, iv)
      return Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]).toString('base64')
    },
    open(sealed) {
      const decipher = createDecipheriv(CIPHER, key, iv)
      const text = Buffer.concat([decipher.update(Buffer.from(sealed, 'base64')), decipher.final()])
      return JSON.parse(text.toString('utf8')) as unknown
    },
  }
}
