import { isShopChat } from './moved-chats.ts'
import { compiled } from '../database/compiled.ts'
import { requirePerson } from './manage-people.ts'
import type { Operator } from './operator.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Where something was pressed or written, and by whom. */
export interface Press {
  readonly chatId: number
  /** Unknown for what is written in the name of a group. */
  readonly telegramId: number | undefined
}

/**
 * Returns who acts for the shop in a chat; undefined for everybody else (rules 14.2). While no person is named, everybody in the operator's
 * chats does; afterwards only persons, in their private chats and in the operator's chats.
 */
export async function operatorIn(
  { db, operatorChats }: Pick<Essentials, 'db' | 'operatorChats'>,
  { chatId, telegramId }: Press,
): Promise<Operator | undefined> {
  const ours = await isShopChat({ db, operatorChats }, chatId)
  if (!ours && chatId !== telegramId) return undefined
  const from = {
    via: 'chat',
    chat: chatId,
    ...(telegramId !== undefined && { telegram: telegramId }),
  } as const
  const [person] = await findOfTelegram(db.read, { telegramId: telegramId ?? 0 })
  if (person) return { ...from, person }
  if (!ours) return undefined
  const [anybody] = await findAnybody(db.read, {})
  return anybody ? undefined : { ...from, person: null }
}

/**
 * Returns the operator for a person at the command line.
 *
 * @throws validation_error (person)
 */
export async function operatorNamed({ db }: Pick<Essentials, 'db'>, name: string): Promise<Operator> {
  const { id, name: known, role } = await requirePerson(db.read, name)
  return { person: { id, name: known, role }, via: 'shell' }
}

const findOfTelegram = compiled<{ telegramId: number }>()((db, { telegramId }) =>
  db.selectFrom('people').select(['id', 'name', 'role']).where('telegramId', '=', telegramId),
)

/** Finds one of those who are named, if anybody is. */
export const findAnybody = compiled<object>()((db) =>
  db.selectFrom('people').select('id').where('removedAt', 'is', null).limit(1),
)
