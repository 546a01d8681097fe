import type { CoreDeps } from '../deps.ts'

/** State of a dialogue between two messages. The bot encrypts it: it holds what the person typed, a password included. */
export async function readDialogue({ db }: CoreDeps, key: string): Promise<string | undefined> {
  return (await db.read.dialogue.findUnique({ where: { key } }))?.value
}

export async function writeDialogue({ db, clock }: CoreDeps, key: string, value: string): Promise<void> {
  const now = clock.now()
  await db.write(
    (tx) => tx.$executeRaw`
      INSERT INTO dialogues (key, value, updated_at) VALUES (${key}, ${value}, ${now})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  )
}

export async function deleteDialogue({ db }: CoreDeps, key: string): Promise<void> {
  await db.write((tx) => tx.$executeRaw`DELETE FROM dialogues WHERE key = ${key}`)
}
