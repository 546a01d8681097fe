import { createCipheriv, createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import { badRequest, noAccess } from './refusal.ts'
import type { Account } from './types.ts'

const CIPHER = 'aes-256-cbc'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/

const Envelope = z.strictObject({
  reqId: z.string().min(1).max(64),
  version: z.literal('v2'),
  encrypt: z.literal(['AES', 'aes']),
  appKey: z.string().min(1),
  params: z.string(),
})

export interface Opened {
  readonly account: Account
  readonly reqId: string
  readonly parameters: unknown
}

/** Opens a request: whose it is, and what it asks. */
export function opened(body: unknown, accounts: ReadonlyMap<string, Account>): Opened {
  const envelope = Envelope.safeParse(body)
  if (!envelope.success) throw badRequest(`envelope: ${z.prettifyError(envelope.error)}`)
  const { appKey, reqId, params } = envelope.data
  const account = accounts.get(appKey)
  if (!account) throw noAccess('unknown appKey')
  return { account, reqId, parameters: params === '' ? {} : decrypted(params, account.secret) }
}

function decrypted(text: string, secret: string): unknown {
  if (!BASE64.test(text)) throw badRequest('params are not base64')
  const key = Buffer.from(secret)
  const decipher = createDecipheriv(CIPHER, key, key.subarray(0, 16))
  try {
    const plain = Buffer.concat([decipher.update(Buffer.from(text, 'base64')), decipher.final()])
    return JSON.parse(plain.toString('utf8')) as unknown
  } catch {
    throw badRequest('params cannot be decrypted')
  }
}

/** Encrypts the data of an answer; empty for undefined. */
export function encrypted(data: unknown, secret: string): string {
  if (data === undefined) return ''
  const key = Buffer.from(secret)
  const cipher = createCipheriv(CIPHER, key, key.subarray(0, 16))
  return Buffer.concat([cipher.update(JSON.stringify(data)), cipher.final()]).toString('base64')
}
