import type { Essentials } from '../jobs/essentials.ts'
import { writeSetting } from '../database/settings.ts'
import { unblockChat } from './chat-sessions.ts'
import { MOVED, movedChats } from '../people/moved-chats.ts'

/**
 * Moves the stored state of a group to the supergroup that it has become, which has another id (Bot API: `migrate_to_chat_id`): language
 * and settings are kept, and waiting notices arrive. Old messages are not edited any more. Nothing of customers is involved, as nobody is
 * logged in in a group. Idempotent.
 */
export async function moveChat(deps: Essentials, from: number, to: number): Promise<void> {
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    await writeSetting(tx, MOVED, JSON.stringify({ ...(await movedChats(tx)), [from]: to }))
    await tx.$kysely.deleteFrom('dialogues').where('key', '=', String(from)).execute()
    const chat = await tx.$kysely
      .updateTable('chats')
      .set({ screenMessage: null, follows: null, updatedAt: now })
      .where('id', '=', from)
      .returningAll()
      .executeTakeFirst()
    if (chat)
      await tx.$kysely
        .insertInto('chats')
        // 0 is the id of no message: it marks that somebody has written in this chat, so that its language is kept.
        .values({ ...chat, id: to, screenMessage: 0 })
        .onConflict((known) => known.doNothing())
        .execute()
    await tx.$kysely
      .updateTable('notices as n')
      .set({ chatId: to })
      .where('n.chatId', '=', from)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('notices as told')
              .select('told.id')
              .where('told.chatId', '=', to)
              .whereRef('told.kind', '=', 'n.kind')
              .whereRef('told.subject', '=', 'n.subject'),
          ),
        ),
      )
      .execute()
    await unblockChat(tx, now, to)
  })
}
