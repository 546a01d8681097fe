import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { ConversationData, VersionedState, VersionedStateStorage } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { Core } from '../core/core.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

type State = VersionedState<ConversationData>

/**
 * Keeps unfinished dialogues in the database, encrypted: the plugin stores every message of a dialogue, and one of them
 * is a password. The names under which it stores are those of {@link dialogueKey}.
 *
 * @param secret the service's secret, from which the key is derived
 */
export function dialogueStorage(
  chats: Core['chats'],
  secret: string,
): VersionedStateStorage<string, ConversationData> {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'stored dialogues', 32))

  function seal(state: State, chatId: number): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(String(chatId)))
    const text = Buffer.concat([cipher.update(JSON.stringify(state)), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')
  }

  function open(sealed: string, chatId: number): State | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(String(chatId))).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      return JSON.parse(text.toString()) as State
    } catch {
      // Another secret than the one it was written with: the person starts the dialogue again.
      return undefined
    }
  }

  return {
    read: async (name) => {
      const { chatId } = stepOf(name)
      const sealed = await chats.readDialogue(chatId)
      return sealed === undefined ? undefined : open(sealed, chatId)
    },
    write: (name, state) => chats.writeDialogue(stepOf(name), seal(state, stepOf(name).chatId)),
    delete: (name) => chats.deleteDialogue(stepOf(name)),
  }
}

/** Names the chat, and the update that is handled now: the plugin passes nothing else on to the storage. */
export function dialogueKey(ctx: Context): string {
  return `${ctx.chatId ?? 0}/${ctx.update.update_id}`
}

function stepOf(name: string): { chatId: number; updateId: number } {
  const [chatId, updateId] = name.split('/').map(Number)
  return { chatId: chatId ?? 0, updateId: updateId ?? 0 }
}
