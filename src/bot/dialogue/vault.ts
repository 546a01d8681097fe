import type { ConversationData, VersionedState } from '@grammyjs/conversations'
import { sealing } from '../../core/sealed.ts'

export type DialogueState = VersionedState<ConversationData>

/**
 * Encrypts unfinished dialogues for the database: the plugin stores every message of a dialogue, and one of them is a
 * password.
 *
 * @param secret the service's secret, from which the key is derived
 */
export function dialogueVault(secret: string) {
  const vault = sealing(secret, 'stored dialogues')
  return {
    /** @param chatId only this chat can open it again */
    seal: (state: DialogueState, chatId: number) => vault.seal(state, String(chatId)),
    /** Undefined for what was sealed with another secret. */
    open: (sealed: string, chatId: number) => vault.open(sealed, String(chatId)) as DialogueState | undefined,
  }
}
