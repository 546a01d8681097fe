import { Funding, type Role } from '../../generated/prisma/enums.ts'
import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import type { Readable, Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import { transferToSubUser } from '../ledger/transfer.ts'
import { fromNumber, type Micros } from '../money.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { requestActivationMail } from './activation.ts'
import { readSubUser, type SubUser } from './sub-user.ts'
import { Password, Username, usernameKey } from '../usernames.ts'
import { happened } from '../facts/happened.ts'
import type { AccountDeps } from './deps.ts'

/** Initial balance, in units of the currency. */
export const InitialBalance = z
  .number()
  .refine((value) => value >= 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
  .default(0)

export const NewAgent = z.object({
  username: Username,
  /** Without a password, nobody can log in before the agent has opened its link. */
  password: Password.optional(),
  level: z.int().min(1).max(1000).default(1),
  /** Where the money for sub-users comes from: the agent's own balance (`transfer`), or newly created (`mint`). */
  funding: z.enum(Funding).default('transfer'),
  balance: InitialBalance,
})

/** A missing value and null become an empty text. */
function optionalText(schema: z.ZodString) {
  return schema.nullish().transform((text) => text ?? '')
}

/** Contact details of an account; an empty text when there is none. */
export const Contact = {
  /** With mail configured, the account is activated by a link that is sent there (rules 2.7). */
  email: z
    .string()
    .max(254)
    .refine((text) => text === '' || z.regexes.email.test(text), { error: 'not_an_email_address' }),
  phone: z.string().regex(/^(\d{11})?$/, { error: 'not_a_phone_number' }),
  remark: z.string().max(255),
}

export const NewSubUser = z.object({
  username: Username,
  password: Password,
  email: optionalText(Contact.email),
  phone: optionalText(Contact.phone),
  remark: optionalText(Contact.remark),
  balance: InitialBalance,
})

/** With a key, a repetition creates nothing and gets the first answer. */
export const SubUserCreation = NewSubUser.extend({ requestKey: RequestKey.nullish() })

export interface CreatedAccount {
  readonly id: number
  readonly username: string
}

/**
 * The operator creates an agent (rules 10.2).
 *
 * @throws username_taken, validation_error
 */
export async function createAgent(
  deps: AccountDeps,
  input: z.input<typeof NewAgent>,
): Promise<CreatedAccount> {
  const { balance, ...agent } = parseInput(NewAgent, input)
  const initial = fromNumber(balance) ?? 0
  const passwordHash = await deps.passwords.hash(agent.password)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const id = await insertAccount(tx, now, { ...agent, passwordHash, role: 'agent', agentId: null })
    await bookInitialBalance(tx, now, id, initial)
    return { id, username: agent.username }
  })
}

/** Books the initial balance that a new account gets from the shop. */
export async function bookInitialBalance(
  tx: Tx,
  now: Date,
  accountId: number,
  amount: Micros,
): Promise<void> {
  if (amount === 0) return
  await bookEntry(tx, now, {
    accountId,
    type: 'recharge',
    amount,
    source: `initial:${accountId}`,
    operatorId: null,
    ...systemRemark('initial_balance'),
  })
}

/**
 * An agent creates a direct sub-user; the initial balance comes from the agent (rules 2.8, 2.14). It is active
 * at once, unless it has an e-mail address to which an activation link can be sent.
 *
 * @throws agent_required, username_taken, insufficient_balance, idempotency_conflict, validation_error
 */
export async function createSubUser(
  deps: AccountDeps,
  actor: Actor,
  input: z.input<typeof SubUserCreation>,
): Promise<SubUser & { readonly replayed: boolean }> {
  requireAgent(actor)
  const { requestKey, ...fields } = parseInput(SubUserCreation, input)
  const { balance, ...user } = fields
  const initial = fromNumber(balance) ?? 0
  const passwordHash = await deps.passwords.hash(user.password)
  const request = { key: requestKey, kind: 'create_sub_user', input: fields }
  return once(deps, actor, request, (tx) =>
    insertSubUser(deps, tx, actor, { ...user, passwordHash, initial }),
  )
}

/**
 * Creates a sub-user with its initial balance in the open transaction. If it is not activated, a mail is enqueued.
 *
 * @throws username_taken, insufficient_balance of the agent
 */
export async function insertSubUser(
  deps: AccountDeps,
  tx: Tx,
  agent: Actor,
  { initial, ...user }: SubUserRow,
): Promise<SubUser> {
  const now = deps.clock.now()
  const activated = !deps.mailer || user.email === ''
  const id = await insertAccount(tx, now, { ...user, activated, role: 'user', agentId: agent.id })
  if (initial > 0) await transferToSubUser(tx, now, agent, id, initial, systemRemark('initial_balance'))
  if (!activated) await requestActivationMail(deps, tx, id)
  happened(tx, { kind: 'sub_user.created', userId: id, balance: initial, ...(!user.own && { actor: agent }) })
  return readSubUser(tx, id)
}

interface SubUserRow
  extends
    Pick<Required<AccountRow>, 'username' | 'passwordHash' | 'email' | 'phone' | 'remark'>,
    Pick<AccountRow, 'own'> {
  /** Initial balance. */
  readonly initial: Micros
}

interface AccountRow {
  readonly username: string
  readonly passwordHash: string
  readonly role: Role
  readonly agentId: number | null
  readonly level?: number
  readonly funding?: Funding
  readonly email?: string
  readonly phone?: string
  readonly remark?: string
  readonly activated?: boolean
  /** Whether the account has chosen its password itself. */
  readonly own?: boolean
}

/** Returns which of these keys of usernames are those of accounts, deleted ones included. */
export async function takenUsernames(db: Readable, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.$kysely
    .selectFrom('accounts')
    .select('usernameKey')
    .where('usernameKey', 'in', listOf(keys))
    .execute()
  return new Set(rows.map(({ usernameKey: key }) => key))
}

/** @throws username_taken */
export async function insertAccount(tx: Tx, now: Date, row: AccountRow): Promise<number> {
  const { username, passwordHash, role, agentId, level, funding, email, phone, remark, activated } = row
  const { own = false } = row
  try {
    const data = {
      username,
      usernameKey: usernameKey(username),
      passwordHash,
      role,
      agentId,
      createdAt: now,
      updatedAt: now,
    }
    const optional = {
      level: level ?? null,
      funding: funding ?? null,
      email: email ?? '',
      phone: phone ?? '',
      remark: remark ?? '',
      activated: activated ?? true,
      ownSince: own ? now : null,
    }
    const { id } = await tx.$kysely
      .insertInto('accounts')
      .values({ ...data, ...optional })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    if (uniqueViolation(error)) throw new ServiceError('username_taken')
    throw error
  }
}
