import type { Essentials } from '../jobs/essentials.ts'
import { writeSetting } from '../database/settings.ts'
import { unblockChat } from './chat-sessions.ts'
import { MOVED, movedChats } from '../people/moved-chats.ts'

/**
 * A group has become a supergroup, which has another id (Bot API: `migrate_to_chat_id`): what is kept of it goes along, so that its
 * language and settings stay, and what waits for it arrives. Its messages do not: they are changed no more. Nobody is logged in in a
 * group, so that nothing of customers is there. Harmless when it is repeated.
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
        // 0 is the id of no message: somebody has written in this chat, so that its language holds.
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
