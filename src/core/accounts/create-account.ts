import { z } from 'zod'
import type { Actor } from '../access.ts'
import type { Tx } from '../database/database.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { transferToSubUser } from '../ledger/transfer.ts'
import { fromNumber } from '../money.ts'
import { requestActivationMail } from './activation.ts'
import { readSubUser, type SubUser } from './sub-user.ts'
import { Password, Username, usernameKey } from './usernames.ts'

/** In units of the currency. */
const InitialBalance = z
  .number()
  .refine((value) => value >= 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
  .default(0)

export const NewAgent = z.object({
  username: Username,
  password: Password,
  level: z.int().min(1).max(1000).default(1),
  /** Where the money for sub-users comes from: the agent's own balance, or nowhere (the operator's own top agent). */
  funding: z.enum(['transfer', 'mint']).default('transfer'),
  balance: InitialBalance,
})

/** Nothing, null and an empty text are the same: there is none. */
function optionalText(schema: z.ZodString) {
  return schema.nullish().transform((text) => text ?? '')
}

export const NewSubUser = z.object({
  username: Username,
  password: Password,
  /** With mail configured, the account is activated by a link that is sent there (contract 2). */
  email: optionalText(
    z
      .string()
      .max(254)
      .refine((text) => text === '' || z.regexes.email.test(text), { error: 'not_an_email_address' }),
  ),
  phone: optionalText(z.string().regex(/^(\d{11})?$/, { error: 'not_a_phone_number' })),
  remark: optionalText(z.string().max(255)),
  balance: InitialBalance,
})

export interface CreatedAccount {
  readonly id: number
  readonly username: string
}

/**
 * The operator creates an agent (contract 10).
 *
 * @throws username_taken, validation_error
 */
export async function createAgent(deps: CoreDeps, input: z.input<typeof NewAgent>): Promise<CreatedAccount> {
  const { balance, ...agent } = parseInput(NewAgent, input)
  const initial = fromNumber(balance) ?? 0
  const passwordHash = await deps.passwords.hash(agent.password)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const id = await insertAccount(tx, now, { ...agent, passwordHash, role: 'agent', agentId: null })
    if (initial > 0) {
      await bookEntry(tx, now, {
        accountId: id,
        type: 'recharge',
        amount: initial,
        source: `initial:${id}`,
        operatorId: null,
        remark: 'Initial balance',
      })
    }
    return { id, username: agent.username }
  })
}

/**
 * An agent creates a direct sub-user; the initial balance comes from the agent (spec: user creation, contract 2). It is active
 * at once, unless it has an e-mail address to which an activation link can be sent.
 *
 * @throws agent_required, username_taken, insufficient_balance, validation_error
 */
export async function createSubUser(
  deps: CoreDeps,
  actor: Actor,
  input: z.input<typeof NewSubUser>,
): Promise<SubUser> {
  if (actor.role !== 'agent') throw new ServiceError('agent_required')
  const { balance, ...user } = parseInput(NewSubUser, input)
  const initial = fromNumber(balance) ?? 0
  const passwordHash = await deps.passwords.hash(user.password)
  const activated = !deps.mailer || user.email === ''
  const created = await deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const row = { ...user, passwordHash, activated, role: 'user', agentId: actor.id } as const
    const id = await insertAccount(tx, now, row)
    if (initial > 0) await transferToSubUser(tx, now, actor, id, initial, 'Initial balance')
    if (!activated) await requestActivationMail(deps, tx, id)
    return readSubUser(tx, id)
  })
  if (!activated) deps.jobs.wake()
  return created
}

interface AccountRow {
  readonly username: string
  readonly passwordHash: string
  readonly role: 'agent' | 'user'
  readonly agentId: number | null
  readonly level?: number
  readonly funding?: string
  readonly email?: string
  readonly phone?: string
  readonly remark?: string
  readonly activated?: boolean
}

async function insertAccount(tx: Tx, now: Date, row: AccountRow): Promise<number> {
  const { username, passwordHash, role, agentId, level, funding, email, phone, remark, activated } = row
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
    }
    return (await tx.account.create({ data: { ...data, ...optional }, select: { id: true } })).id
  } catch (error) {
    if (uniqueViolation(error)) throw new ServiceError('username_taken')
    throw error
  }
}
