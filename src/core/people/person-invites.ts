import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { compiledInsert } from '../database/compiled-insert.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { personMayAct } from '../access/makers.ts'
import { type HeldOf, record, Time } from '../record.ts'
import { hashOf } from '../token-hash.ts'
import { type Acting, makerOf } from './guarded.ts'
import { insertPerson, NewPerson, type Person, requireNewName, requireOwner } from './manage-people.ts'
import { type OperatorAction, rolesWith, SHOP_ROLES } from './permissions.ts'
import type { Press } from './who-acts.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Prefix that tells the link from other parameters of a deep link. */
const MARK = 'staff_'
const VALID_MS = 72 * 60 * 60_000
/** 43 characters in base64; a deep link may have 64. */
const TOKEN_BYTES = 32

const NewInvite = z.object({ name: NewPerson.shape.name, role: NewPerson.shape.role })

/** A link by which somebody becomes a person who runs the shop (rules 14.6). */
export const PersonInviteRecord = record({
  id: z.int(),
  name: z.string(),
  role: z.enum(SHOP_ROLES),
  expiresAt: Time,
})

export type PersonInvite = HeldOf<typeof PersonInviteRecord>

/**
 * Makes a link for somebody who shall run the shop; nobody is named before it is opened (rules 14.6).
 *
 * @returns the link, and the parameter with which it starts the bot; of its token only a hash is stored
 * @throws validation_error
 */
export async function invitePerson(
  deps: Essentials & Acting,
  input: z.input<typeof NewInvite>,
): Promise<PersonInvite & { readonly start: string }> {
  const { name, role } = parseInput(NewInvite, input)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + VALID_MS)
  return deps.db.write(async (tx) => {
    await requireNewName(tx, name)
    await requireOwner(tx, role)
    const id = await insertInvite(tx, {
      tokenHash: hashOf(token),
      name,
      role,
      ...makerOf(deps.by),
      expiresAt,
      createdAt: now,
    })
    return { id, name, role, expiresAt: expiresAt.toISOString(), start: MARK + token }
  })
}

/** Returns the token in the parameter of `/start`; undefined for anything else. */
export function personTokenIn(parameter: string): string | undefined {
  return parameter.startsWith(MARK) ? parameter.slice(MARK.length) : undefined
}

/** Lists the links that can be opened, the oldest first. */
export function listPersonInvites({ db, clock }: Pick<Essentials, 'db' | 'clock'>): Promise<PersonInvite[]> {
  return db.read.$kysely
    .selectFrom('personInvites')
    .select(['id', 'name', 'role', 'expiresAt'])
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', clock.now().toISOString())
    .orderBy('id')
    .execute()
}

/**
 * Ends a link that nobody has opened.
 *
 * @throws validation_error (invite)
 */
export function revokePersonInvite(
  { db, clock }: Essentials,
  id: number,
): Promise<{ readonly name: string }> {
  return db.write(async (tx) => {
    const ended = await tx.$kysely
      .updateTable('personInvites')
      .set({ endedAt: clock.now() })
      .where('id', '=', id)
      .where('endedAt', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (!ended) throw InvalidInput.of('invite', 'no_such_invite')
    return ended
  })
}

/**
 * Makes whoever opens the link in a private chat a person who runs the shop. The owners are told, and the trail keeps it.
 *
 * @throws validation_error: the link does not hold (any more), or the name or the Telegram user is another person's by now
 */
export async function openPersonInvite(
  deps: Essentials,
  { chatId, telegramId }: Press & { readonly telegramId: number },
  token: string,
): Promise<Person> {
  const now = deps.clock.now()
  return deps.db.write(async (tx) => {
    const invite = await tx.$kysely
      .updateTable('personInvites')
      .set({ endedAt: now })
      .where('tokenHash', '=', hashOf(token))
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now.toISOString())
      .where(({ ref }) => personMayAct(ref('personId'), ref('unnamed'), rolesWith('people')))
      .returning(['name', 'role'])
      .executeTakeFirst()
    if (!invite) throw InvalidInput.of('invite', 'no_such_invite')
    const joined = await insertPerson(tx, now, { ...invite, telegramId })
    const { name, role } = joined
    const by = { person: joined, via: 'chat', chat: chatId, telegram: telegramId } as const
    const action = 'person.join' satisfies OperatorAction
    happened(
      tx,
      { kind: 'operator.acted', by, action, subject: name, details: { role } },
      { kind: 'person_joined', subject: String(joined.id), data: { name, role, telegramId } },
    )
    return joined
  })
}

const insertInvite = compiledInsert('personInvites')
