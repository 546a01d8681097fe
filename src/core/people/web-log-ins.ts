import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Queryable } from '../database/queries.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { type Held, record, Time } from '../record.ts'
import { hashOf } from '../token-hash.ts'
import type { Acting } from './guarded.ts'
import type { Operator } from './operator.ts'
import { findAnybody } from './who-acts.ts'
import { type OperatorAction, permissionsOf, SHOP_ROLES } from './permissions.ts'

/** How long a link waits to be opened. */
const LINK_MS = 5 * 60_000
/** How long a session lasts. */
const SESSION_MS = 12 * 60 * 60_000
const TOKEN_BYTES = 32
/** Tells the token of a session from an API key and an access token. */
const MARK = 'prs_'
/** Most characters that are kept of what a browser calls itself. */
const MAX_PROGRAM = 200

/** Who is logged in, and what that allows (rules 14.11). */
const SESSION = {
  person: z.string().nullable().meta({ description: 'Null: an operator, while nobody is named' }),
  role: z.enum(SHOP_ROLES),
  permissions: z.array(z.string()).meta({ description: 'What the role includes, beside looking' }),
  expiresAt: Time,
}
export const SessionRecord = record(SESSION, { id: 'OperatorSession' })
export type Session = Held<typeof SESSION>

/** A session that is open. */
export interface WebLogIn {
  readonly id: number
  /** What has opened it, as it calls itself; empty where it says nothing. */
  readonly program: string
  readonly openedAt: string
  readonly expiresAt: string
}

/**
 * Makes a link by which whoever acts logs in outside of Telegram, once and within 5 minutes (rules 14.11). Of its code only a hash is stored.
 *
 * @throws not_permitted in such a session; validation_error (person) for the command line without a person, where persons are named
 */
export async function offerWebLogIn({
  db,
  clock,
  by,
}: Essentials & Acting): Promise<{ readonly code: string; readonly expiresAt: Date }> {
  const { person, chat, telegram, via } = by
  // Otherwise a session could go on for ever.
  if (via === 'web') throw new ServiceError('not_permitted')
  const code = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + LINK_MS)
  await db.write(async (tx) => {
    if (!person && (await findAnybody(tx, {})).length > 0)
      throw InvalidInput.of('person', 'web_needs_a_person')
    // Links that were never opened are of no use any more.
    await tx.$kysely
      .deleteFrom('webLogIns')
      .where('openedAt', 'is', null)
      .where('expiresAt', '<=', now.toISOString())
      .execute()
    await insertLogIn(tx, {
      codeHash: hashOf(code),
      personId: person?.id ?? null,
      chatId: chat ?? null,
      telegramId: telegram ?? null,
      expiresAt,
      createdAt: now,
    })
  })
  return { code, expiresAt }
}

/**
 * Opens a link, which then works no more. The trail keeps it.
 *
 * @param program what opens it, as it calls itself
 * @returns the token of the session
 * @throws token_invalid: there is no such link (any more), or whoever made it may not act any more
 */
export async function openWebLogIn(
  { db, clock }: Essentials,
  code: string,
  program: string,
): Promise<{ readonly token: string; readonly session: Session }> {
  const token = MARK + randomBytes(TOKEN_BYTES).toString('base64url')
  const tokenHash = hashOf(token)
  const named = program.slice(0, MAX_PROGRAM)
  const now = clock.now()
  return db.write(async (tx) => {
    const opened = await tx.$kysely
      .updateTable('webLogIns')
      .set({
        tokenHash,
        openedAt: now,
        program: named,
        expiresAt: new Date(now.getTime() + SESSION_MS),
      })
      .where('codeHash', '=', hashOf(code))
      .where('openedAt', 'is', null)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now.toISOString())
      .executeTakeFirstOrThrow()
    if (opened.numUpdatedRows === 0n) throw new ServiceError('token_invalid')
    const { operator, session } = await sessionOf(tx, now, tokenHash)
    happened(tx, {
      kind: 'operator.acted',
      by: operator,
      action: 'person.log_in' satisfies OperatorAction,
      subject: operator.person?.name ?? '',
      details: { program: named },
    })
    return { token, session }
  })
}

/**
 * Returns who acts with a token: the person with the present role.
 *
 * @throws token_invalid
 */
export async function operatorOfToken(
  { db, clock }: Pick<Essentials, 'db' | 'clock'>,
  token: string,
): Promise<{ readonly operator: Operator; readonly session: Session }> {
  return sessionOf(db.read, clock.now(), hashOf(token))
}

/** Ends the session of a token; one that has ended stays so. */
export async function endWebLogIn({ db, clock }: Essentials, token: string): Promise<void> {
  await db.write((tx) =>
    tx.$kysely
      .updateTable('webLogIns')
      .set({ endedAt: clock.now() })
      .where('tokenHash', '=', hashOf(token))
      .where('endedAt', 'is', null)
      .execute(),
  )
}

/** Lists the open sessions whose links were made in a chat, the newest first. */
export async function listWebLogIns(
  { db, clock }: Pick<Essentials, 'db' | 'clock'>,
  chatId: number,
): Promise<WebLogIn[]> {
  const rows = await db.read.$kysely
    .selectFrom('webLogIns')
    .select(['id', 'program', 'openedAt', 'expiresAt'])
    .where('chatId', '=', chatId)
    .where('openedAt', 'is not', null)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', clock.now().toISOString())
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ openedAt, ...row }) => ({ ...row, openedAt: openedAt ?? '' }))
}

/** Ends all sessions, and links, that were made in the chat in which it is asked; returns how many sessions. */
export async function endWebLogIns({ db, clock, by }: Essentials & Acting): Promise<number> {
  return db.write(async (tx) => {
    const ended = await tx.$kysely
      .updateTable('webLogIns')
      .set({ endedAt: clock.now() })
      .where('chatId', '=', by.chat ?? 0)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', clock.now().toISOString())
      .returning('openedAt')
      .execute()
    return ended.filter(({ openedAt }) => openedAt !== null).length
  })
}

/** @throws token_invalid */
async function sessionOf(
  db: Queryable,
  now: Date,
  tokenHash: string,
): Promise<{ readonly operator: Operator; readonly session: Session }> {
  const [row] = await findSession(db, { tokenHash, now: now.toISOString() })
  if (!row) throw new ServiceError('token_invalid')
  const { personId, name, role, chatId, telegramId, expiresAt } = row
  const person = personId === null || name === null || role === null ? null : { id: personId, name, role }
  const permitted = person?.role ?? 'owner'
  return {
    operator: {
      person,
      via: 'web',
      ...(chatId !== null && { chat: chatId }),
      ...(telegramId !== null && { telegram: telegramId }),
    },
    session: {
      person: person?.name ?? null,
      role: permitted,
      permissions: permissionsOf(permitted),
      expiresAt,
    },
  }
}

/** Whoever made the link must still be somebody who may act: a person who was not removed, or anybody while nobody is named. */
const findSession = compiled<{ tokenHash: string; now: string }>()((db, { tokenHash, now }) =>
  db
    .selectFrom('webLogIns as w')
    .leftJoin('people as p', (join) => join.onRef('p.id', '=', 'w.personId').on('p.removedAt', 'is', null))
    .select(['w.personId', 'p.name', 'p.role', 'w.chatId', 'w.telegramId', 'w.expiresAt'])
    .where('w.tokenHash', '=', tokenHash)
    .where('w.endedAt', 'is', null)
    .where('w.expiresAt', '>', now)
    .where(({ or, and, eb, not, exists, selectFrom }) =>
      or([
        eb('p.id', 'is not', null),
        and([
          eb('w.personId', 'is', null),
          not(exists(selectFrom('people').select('people.id').where('people.removedAt', 'is', null))),
        ]),
      ]),
    ),
)

const insertLogIn = compiledInsert('webLogIns')
