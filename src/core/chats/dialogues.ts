import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Distance of ids within which an update can be a repetition: Telegram repeats only updates that were not confirmed. */
const REPEAT_WINDOW = 10_000

/** A step of a dialogue: the chat, and the update that caused it. */
interface DialogueStep {
  readonly chatId: number
  readonly updateId: number
}

/**
 * Stores the state of a dialogue between two messages, together with the update that led to it. So a repetition of the update
 * after a crash is recognized, and a step that timed out cannot overwrite the state when it finishes late.
 *
 * @param value encrypted by the bot: it holds what the person typed, a password included
 */
export async function writeDialogue(
  { db, clock }: Essentials,
  step: DialogueStep,
  value: string,
): Promise<void> {
  const now = clock.now()
  await db.write(async (tx) => {
    if (!(await rememberUpdate(tx, step))) return
    await putDialogue(tx, { key: String(step.chatId), value, now })
  })
}

const putDialogue = compiled<{ key: string; value: string; now: Date }>()((db, { key, value, now }) =>
  db
    .insertInto('dialogues')
    .values({ key, value, updatedAt: now })
    .onConflict((same) => same.column('key').doUpdateSet({ value, updatedAt: now })),
)

/** Deletes the state of a dialogue that is over. */
export async function deleteDialogue({ db }: Essentials, step: DialogueStep): Promise<void> {
  await db.write(async (tx) => {
    if (!(await rememberUpdate(tx, step))) return
    await removeDialogue(tx, { key: String(step.chatId) })
  })
}

const removeDialogue = compiled<{ key: string }>()((db, { key }) =>
  db.deleteFrom('dialogues').where('key', '=', key),
)

/**
 * Whether this update, or a later one, has advanced the dialogue already. Update ids grow; after a week without updates Telegram
 * continues with a random id.
 *
 * @param last id of the last update that advanced the dialogue
 */
export function isRepeated(updateId: number, last: number): boolean {
  return updateId <= last && updateId > last - REPEAT_WINDOW
}

/** @returns false for a repeated update, see {@link isRepeated} */
async function rememberUpdate(tx: Tx, { chatId, updateId }: DialogueStep): Promise<boolean> {
  const changed = await setLastUpdate(tx, { chatId, updateId, repeatedBefore: updateId + REPEAT_WINDOW })
  return changed.length > 0
}

const setLastUpdate = compiled<DialogueStep & { repeatedBefore: number }>()(
  (db, { chatId, updateId, repeatedBefore }) =>
    db
      .updateTable('chats')
      .set({ lastUpdate: updateId })
      .where('id', '=', chatId)
      .where(({ eb }) => eb.or([eb('lastUpdate', '<', updateId), eb('lastUpdate', '>=', repeatedBefore)]))
      .returning('id'),
)
