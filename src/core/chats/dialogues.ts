import type { CoreDeps } from '../deps.ts'
import type { Tx } from '../database/database.ts'

/** A step of a dialogue: the chat, and the update that caused it. */
export interface DialogueStep {
  readonly chatId: number
  readonly updateId: number
}

/** State of a dialogue between two messages. The bot encrypts it: it holds what the person typed, a password included. */
export async function readDialogue({ db }: CoreDeps, chatId: number): Promise<string | undefined> {
  return (await db.read.dialogue.findUnique({ where: { key: String(chatId) } }))?.value
}

/** Stores the state together with the update that led to it, so that its repetition after a crash is recognized. */
export async function writeDialogue(
  { db, clock }: CoreDeps,
  step: DialogueStep,
  value: string,
): Promise<void> {
  const now = clock.now()
  await db.write(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO dialogues (key, value, updated_at) VALUES (${String(step.chatId)}, ${value}, ${now})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`
    await rememberUpdate(tx, step)
  })
}

/** The dialogue is over. */
export async function deleteDialogue({ db }: CoreDeps, step: DialogueStep): Promise<void> {
  await db.write(async (tx) => {
    await tx.$executeRaw`DELETE FROM dialogues WHERE key = ${String(step.chatId)}`
    await rememberUpdate(tx, step)
  })
}

async function rememberUpdate(tx: Tx, { chatId, updateId }: DialogueStep): Promise<void> {
  await tx.$executeRaw`UPDATE chats SET last_update = ${updateId} WHERE id = ${chatId}`
}
