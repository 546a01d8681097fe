import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import type { Micros } from '../money.ts'

/** What has been chosen in a chat and does not fit into a button; what it is made of is the chat's own business. */
export interface Draft {
  /** Callback data: where the purchase goes on when the balance suffices. */
  readonly resume?: string
  /** Account that pays for it. */
  readonly resumeFor?: number
  /** What it costs. */
  readonly resumeNeeds?: Micros
  readonly [choice: string]: unknown
}

export async function readDraft({ db }: Essentials, chatId: number): Promise<Draft> {
  const [draft] = await selectJson<Draft>(
    db.read,
    Prisma.sql`SELECT coalesce(draft, '{}') AS json FROM chats WHERE id = ${chatId}`,
  )
  return draft ?? {}
}

/**
 * Writes choices into the draft, each as a whole; the others stay as they are.
 *
 * @param changes null takes a choice out
 */
export async function changeDraft(
  { db, clock }: Essentials,
  chatId: number,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  // A patch alone would mix the old value of a choice into the new one (RFC 7396).
  const without = Object.fromEntries(Object.keys(changes).map((choice) => [choice, null]))
  await db.write(
    (tx) => tx.$executeRaw`
      UPDATE chats SET updated_at = ${clock.now()},
        draft = json_patch(json_patch(coalesce(draft, '{}'), ${JSON.stringify(without)}), ${JSON.stringify(changes)})
      WHERE id = ${chatId}`,
  )
}
