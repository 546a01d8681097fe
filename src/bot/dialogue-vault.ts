import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { ConversationData, VersionedState } from '@grammyjs/conversations'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export type DialogueState = VersionedState<ConversationData>

/**
 * Encrypts unfinished dialogues for the database: the plugin stores every message of a dialogue, and one of them is a
 * password.
 *
 * @param secret the service's secret, from which the key is derived
 */
export function dialogueVault(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'stored dialogues', 32))

  return {
    /** @param chatId only this chat can open it again */
    seal(state: DialogueState, chatId: number): string {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(String(chatId)))
      const text = Buffer.concat([cipher.update(JSON.stringify(state)), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')
    },
    /** Undefined for what was sealed with another secret. */
    open(sealed: string, chatId: number): DialogueState | undefined {
      const bytes = Buffer.from(sealed, 'base64')
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
        decipher
          .setAAD(Buffer.from(String(chatId)))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
        return JSON.parse(text.toString()) as DialogueState
      } catch {
        return undefined
      }
    },
  }
}
