import type { CoreDeps } from '../deps.ts'
import type { Tx } from '../database/database.ts'

/** How far back Telegram can repeat updates: those that were not confirmed yet. */
const REPEAT_WINDOW = 10_000

/** A step of a dialogue: the chat, and the update that caused it. */
export interface DialogueStep {
  readonly chatId: number
  readonly updateId: number
}

/**
 * Stores the state of a dialogue between two messages, together with the update that led to it: so its repetition after a crash
 * is recognized, and what was given up for taking too long does not come back when it is done after all.
 *
 * @param value encrypted by the bot: it holds what the person typed, a password included
 */
export async function writeDialogue(
  { db, clock }: CoreDeps,
  step: DialogueStep,
  value: string,
): Promise<void> {
  const now = clock.now()
  await db.write(async (tx) => {
    if (!(await rememberUpdate(tx, step))) return
    await tx.$executeRaw`
      INSERT INTO dialogues (key, value, updated_at) VALUES (${String(step.chatId)}, ${value}, ${now})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`
  })
}

/** The dialogue is over. */
export async function deleteDialogue({ db }: CoreDeps, step: DialogueStep): Promise<void> {
  await db.write(async (tx) => {
    if (!(await rememberUpdate(tx, step))) return
    await tx.$executeRaw`DELETE FROM dialogues WHERE key = ${String(step.chatId)}`
  })
}

/**
 * Whether an update has moved the dialogue on already, or a later one has. Update ids grow; after a quiet week Telegram starts
 * anywhere anew.
 *
 * @param last number of the last update that did
 */
export function isRepeated(updateId: number, last: number): boolean {
  return updateId <= last && updateId > last - REPEAT_WINDOW
}

/** @returns false for a repeated one, see {@link isRepeated} */
async function rememberUpdate(tx: Tx, { chatId, updateId }: DialogueStep): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE chats SET last_update = ${updateId}
    WHERE id = ${chatId} AND NOT (last_update >= ${updateId} AND last_update < ${updateId + REPEAT_WINDOW})`
  return changed > 0
}
