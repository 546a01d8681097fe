import type { ScreenMemory } from '../chats/chat-sessions.ts'
import { followedIn } from '../chats/followed.ts'
import { compiled } from '../database/compiled.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { hasEnded, haveRenewalsEnded } from '../orders/has-ended.ts'

/**
 * Remembers which message is the live screen; null when there is none. A screen that waits for an order or for renewals which are done
 * meanwhile is refreshed at once.
 */
export async function setChatScreen(
  deps: Essentials,
  chatId: number,
  messageId: number | null,
  { follows }: ScreenMemory = { follows: null },
): Promise<void> {
  const screen = { chatId, messageId, follows, now: deps.clock.now() }
  const followed = follows === null ? undefined : followedIn(follows)
  if (follows === null || (followed?.kind !== 'order' && followed?.kind !== 'renewals')) {
    await deps.db.write((tx) => changeScreen(tx, screen), 'one_statement')
    return
  }
  await deps.db.write(async (tx) => {
    await changeScreen(tx, screen)
    const ended =
      followed.kind === 'order'
        ? await hasEnded(tx, followed.orderNo)
        : await haveRenewalsEnded(tx, followed.accountId)
    if (ended) await deps.jobs.enqueue(tx, 'refresh_screens', { follows, state: 'ended' })
  })
}

const changeScreen = compiled<
  ScreenMemory & { readonly chatId: number; readonly messageId: number | null; readonly now: Date }
>()((db, { chatId, messageId, follows, now }) =>
  db.updateTable('chats').set({ screenMessage: messageId, follows, updatedAt: now }).where('id', '=', chatId),
)
