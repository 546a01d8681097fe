import type { Transformer } from 'grammy'

/**
 * A call to a group that is a supergroup now is repeated for the supergroup, whose id Telegram names in its refusal.
 *
 * @param moved stores the new id
 */
export function followMovedChats(moved: (from: number, to: number) => Promise<void>): Transformer {
  return async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal)
    const to = answer.ok ? undefined : answer.parameters?.migrate_to_chat_id
    if (to === undefined || !('chat_id' in payload)) return answer
    await moved(Number(payload.chat_id), to)
    return call(method, { ...payload, chat_id: to }, signal)
  }
}
