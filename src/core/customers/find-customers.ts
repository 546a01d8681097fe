import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { z } from 'zod'
import { AccountStatus, Role } from '../../generated/prisma/enums.ts'
import { usernameKey } from '../usernames.ts'
import type { Readable } from '../database/database.ts'
import { anyOf, beginsWith, contains } from '../database/dialect.ts'
import { telegramUserId } from '../identifiers.ts'
import { type HeldOf, record } from '../record.ts'

/** An account that a search has found; it may be that of an agent. */
export const FoundCustomerRecord = record({
  kind: z.literal('customer'),
  id: z.int(),
  username: z.string(),
  role: z.enum(Role),
  status: z.enum(AccountStatus),
})
export type FoundCustomer = HeldOf<typeof FoundCustomerRecord>

const MOST = 10

const { eb, ref, selectFrom } = expressionBuilder<DB & { a: DB['accounts'] }, 'a'>()

/** Finds accounts with this username, e-mail address, phone number, or name or number at Telegram. */
export function customersNamed(db: Readable, text: string): Promise<FoundCustomer[]> {
  const logIns = selectFrom('logIns as l').select('l.accountId')
  const chatId = telegramUserId(text)
  const telegramName = text.replace(/^(https?:\/\/)?t\.me\/|^@/, '').toLowerCase()
  return customersThat(db, [
    eb('a.usernameKey', '=', usernameKey(text)),
    ...(/.@./.test(text) ? [contains(ref('a.email'), text)] : []),
    ...(/^\d{11}$/.test(text) ? [eb('a.phone', '=', text)] : []),
    ...(/^\w{4,32}$/.test(telegramName)
      ? [
          eb(
            'a.id',
            'in',
            logIns.innerJoin('chats as c', 'c.id', 'l.chatId').where('c.telegramName', '=', telegramName),
          ),
        ]
      : []),
    ...(chatId === undefined ? [] : [eb('a.id', 'in', logIns.where('l.chatId', '=', chatId))]),
  ])
}

/** Finds accounts whose username begins with the text, or with a chat of a person whose name contains it. */
export function customersLike(db: Readable, text: string): Promise<FoundCustomer[]> {
  return customersThat(db, [
    beginsWith(ref('a.usernameKey'), usernameKey(text)),
    eb('a.id', 'in', ({ selectFrom: from }) =>
      from('logIns as l')
        .innerJoin('chats as c', 'c.id', 'l.chatId')
        .select('l.accountId')
        .where((chat) => contains(chat.ref('c.personName').$notNull(), text)),
    ),
  ])
}

async function customersThat(
  db: Readable,
  conditions: readonly Expression<SqlBool>[],
): Promise<FoundCustomer[]> {
  const found = await db.$kysely
    .selectFrom('accounts as a')
    .select(['a.id', 'a.username', 'a.role', 'a.status'])
    .where(anyOf([...conditions]))
    .orderBy('a.id', 'desc')
    .limit(MOST)
    .execute()
  return found.map((customer) => ({ kind: 'customer', ...customer }))
}
