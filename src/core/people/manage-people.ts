import { z } from 'zod'
import { endSecrets } from '../access/bearer-secrets.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { caseless } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { MAX_TELEGRAM_ID } from '../identifiers.ts'
import { type HeldOf, record, Time } from '../record.ts'
import { SHOP_ROLES, type ShopRole } from './permissions.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Longest name, in characters. */
export const MAX_NAME = 40
const Name = z.string().trim().min(1).max(MAX_NAME)
const TelegramId = z.int().min(1).max(MAX_TELEGRAM_ID)

export const NewPerson = z.object({
  name: Name,
  role: z.enum(SHOP_ROLES, { error: 'no_such_role' }),
  /** Without it, the person works at the command line only. */
  telegramId: TelegramId.nullable().default(null),
})

export const PersonEdit = z
  .object({ name: Name, role: NewPerson.shape.role, telegramId: TelegramId.nullable() })
  .partial()
  .refine((edit) => Object.values(edit).some((value) => value !== undefined), {
    path: ['person'],
    error: 'nothing_to_change',
  })

/** What is shown of somebody who runs the shop. */
export const PersonRecord = record({
  id: z.int(),
  name: z.string(),
  role: z.enum(SHOP_ROLES),
  telegramId: z.int().nullable(),
  createdAt: Time,
})

/** Somebody who runs the shop. */
export interface Person extends HeldOf<typeof PersonRecord> {
  /** Null while the person may act. */
  readonly removedAt: string | null
}

/**
 * Names somebody who runs the shop; the first one is an owner (rules 14.2).
 *
 * @throws validation_error
 */
export async function addPerson(deps: Essentials, input: z.input<typeof NewPerson>): Promise<Person> {
  const person = parseInput(NewPerson, input)
  return deps.db.write((tx) => insertPerson(tx, deps.clock.now(), person))
}

/**
 * {@link addPerson} in the open transaction.
 *
 * @throws validation_error
 */
export function insertPerson(tx: Tx, now: Date, person: z.output<typeof NewPerson>): Promise<Person> {
  return unique(async () => {
    const { id } = await tx.$kysely
      .insertInto('people')
      .values({ ...person, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await requireOwner(tx)
    await endSecrets(tx, now, 'person', { personId: null, telegramId: null })
    return readPerson(tx, id)
  })
}

/**
 * Changes name, role or Telegram user of a person; it holds from the next action on. Another role or Telegram
 * user ends the links that the person has made (rules 14.7).
 *
 * @throws validation_error
 */
export async function editPerson(
  deps: Essentials,
  name: string,
  input: z.input<typeof PersonEdit>,
): Promise<Person> {
  const edit = parseInput(PersonEdit, input)
  return unique(() =>
    deps.db.write(async (tx) => {
      const { id, role, telegramId } = await requirePerson(tx, name)
      await tx.$kysely.updateTable('people').set(edit).where('id', '=', id).execute()
      await requireOwner(tx)
      const person = await readPerson(tx, id)
      if (person.role !== role || person.telegramId !== telegramId)
        await endSecrets(tx, deps.clock.now(), 'person', { personId: id, telegramId })
      return person
    }),
  )
}

/**
 * Removes a person, who may do nothing from then on, and ends the person's links; the trail keeps what was done (rules 14.2, 14.7).
 *
 * @throws validation_error
 */
export function removePerson(deps: Essentials, name: string): Promise<Person> {
  return deps.db.write(async (tx) => {
    const { id, telegramId } = await requirePerson(tx, name)
    const now = deps.clock.now()
    await tx.$kysely
      .updateTable('people')
      .set({ telegramId: null, removedAt: now })
      .where('id', '=', id)
      .execute()
    await requireOwner(tx)
    await endSecrets(tx, now, 'person', { personId: id, telegramId })
    return readPerson(tx, id)
  })
}

/** Lists those who may act, in the order in which they were added. */
export function listPeople({ db }: Pick<Essentials, 'db'>): Promise<Person[]> {
  return findPeople(db.read, {})
}

/**
 * Refuses to leave people without an owner among them: nobody could name another owner in the chat.
 *
 * @param joining the role of a person who is to be added
 */
export async function requireOwner(tx: Tx, joining?: ShopRole): Promise<void> {
  const people = await findPeople(tx, {})
  const roles = [...people.map(({ role }) => role), ...(joining ? [joining] : [])]
  if (roles.length > 0 && !roles.includes('owner')) throw InvalidInput.of('role', 'no_owner_left')
}

/** @throws validation_error (name) where a person has it */
export async function requireNewName(db: Queryable, name: string): Promise<void> {
  if ((await findNamed(db, { name })).length > 0) throw InvalidInput.of('name', 'person_exists')
}

/** @throws validation_error (person) */
export async function requirePerson(db: Queryable, name: string): Promise<Person> {
  const [person] = await findNamed(db, { name: name.trim() })
  if (!person) throw InvalidInput.of('person', 'no_such_person')
  return person
}

async function unique(write: () => Promise<Person>): Promise<Person> {
  try {
    return await write()
  } catch (error) {
    if (uniqueViolation(error, 'telegram_id')) throw InvalidInput.of('telegramId', 'telegram_id_taken')
    if (uniqueViolation(error, 'name')) throw InvalidInput.of('name', 'person_exists')
    throw error
  }
}

async function readPerson(tx: Tx, id: number): Promise<Person> {
  return tx.$kysely.selectFrom('people').select(PERSON).where('id', '=', id).executeTakeFirstOrThrow()
}

const PERSON = ['id', 'name', 'role', 'telegramId', 'createdAt', 'removedAt'] as const

const findPeople = compiled<object>()((db) =>
  db.selectFrom('people').select(PERSON).where('removedAt', 'is', null).orderBy('id'),
)

const findNamed = compiled<{ name: string }>()((db, { name }) =>
  db
    .selectFrom('people')
    .select(PERSON)
    .where(({ eb, ref }) => eb(caseless(ref('name')), '=', caseless(name)))
    .where('removedAt', 'is', null),
)
