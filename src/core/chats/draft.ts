import { compiled } from '../database/compiled.ts'
import { parsed } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { Micros } from '../money.ts'

/** Choices made in a chat that do not fit into a button; the bot defines the other fields. */
export interface Draft {
  /** Callback data that continues the purchase when the balance suffices. */
  readonly resume?: string
  /** Id of the account that pays for the purchase. */
  readonly resumeFor?: number
  /** Cost of the purchase. */
  readonly resumeNeeds?: Micros
  readonly [choice: string]: unknown
}

export function readDraft({ db }: Essentials, chatId: number): Promise<Draft> {
  return draftIn(db.read, chatId)
}

export async function draftIn(db: Queryable, chatId: number): Promise<Draft> {
  const [chat] = await findDraft(db, { chatId })
  return chat?.draft ?? {}
}

const findDraft = compiled<{ chatId: number }>()((db, { chatId }) =>
  db
    .selectFrom('chats')
    .select(({ ref }) => parsed<Draft>(ref('draft')).as('draft'))
    .where('id', '=', chatId),
)

/**
 * Writes choices into the draft, each as a whole; the others stay as they are.
 *
 * @param changes null removes a choice
 */
export async function changeDraft(
  { db, clock }: Essentials,
  chatId: number,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.write(async (tx) => {
    const choices = Object.entries({ ...(await draftIn(tx, chatId)), ...changes })
    const draft = JSON.stringify(Object.fromEntries(choices.filter(([, value]) => value !== null)))
    await storeDraft(tx, { chatId, draft, now: clock.now() })
  })
}

export const storeDraft = compiled<{ chatId: number; draft: string; now: Date }>()(
  (db, { chatId, draft, now }) =>
    db.updateTable('chats').set({ draft, updatedAt: now }).where('id', '=', chatId),
)
