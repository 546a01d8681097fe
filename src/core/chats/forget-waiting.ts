import type { Actor } from '../access/actor.ts'
import { beginsWith } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { draftIn, storeDraft } from './draft.ts'

const NOTHING_WAITS = { resume: undefined, resumeFor: undefined, resumeNeeds: undefined }

/**
 * Forgets the purchases of a kind that wait for money, once one of this kind was bought: that of the chat, and those to which top-ups of
 * the account lead back (rules 17.5).
 *
 * @param kind prefix of their callback data
 */
export async function forgetWaiting(
  { db, clock }: Essentials,
  actor: Actor,
  chatId: number,
  kind: string,
): Promise<void> {
  await db.write(async (tx) => {
    const now = clock.now()
    const draft = await draftIn(tx, chatId)
    if (draft.resume?.startsWith(`${kind}:`))
      await storeDraft(tx, { chatId, draft: JSON.stringify({ ...draft, ...NOTHING_WAITS }), now })
    await tx.$kysely
      .updateTable('topUps')
      .set({ reference: null })
      .where('userId', '=', actor.id)
      .where(({ ref }) => beginsWith(ref('reference').$notNull(), `${kind}:`))
      .execute()
  })
}
