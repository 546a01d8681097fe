import { z } from 'zod'
import type { Actor } from '../access.ts'
import type { Tx } from '../database/database.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { transferToSubUser } from '../ledger/transfer.ts'
import { fromNumber } from '../money.ts'
import { Password, Username, usernameKey } from './usernames.ts'

const InitialBalance = z
  .number()
  .refine((value) => value >= 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
  .transform((value) => fromNumber(value) ?? 0)
  .default(0)

export const NewAgent = z.object({
  username: Username,
  password: Password,
  level: z.int().min(1).max(1000).default(1),
  /** Where the money for sub-users comes from: the agent's own balance, or nowhere (the operator's own top agent). */
  funding: z.enum(['transfer', 'mint']).default('transfer'),
  balance: InitialBalance,
})

export const NewSubUser = z.object({
  username: Username,
  password: Password,
  email: z.email().or(z.literal('')).default(''),
  phone: z
    .string()
    .regex(/^\d{11}$/)
    .or(z.literal(''))
    .default(''),
  remark: z.string().max(255).default(''),
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
  const agent = parseInput(NewAgent, input)
  const passwordHash = await deps.passwords.hash(agent.password)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const id = await insertAccount(tx, now, { ...agent, passwordHash, role: 'agent', agentId: null })
    if (agent.balance > 0) {
      await bookEntry(tx, now, {
        accountId: id,
        type: 'recharge',
        amount: agent.balance,
        source: `initial:${id}`,
        operatorId: null,
        remark: 'Initial balance',
      })
    }
    return { id, username: agent.username }
  })
}

/**
 * An agent creates a direct sub-user; the initial balance comes from the agent (spec: user creation, contract 2).
 *
 * @throws agent_required, username_taken, insufficient_balance, validation_error
 */
export async function createSubUser(
  deps: CoreDeps,
  actor: Actor,
  input: z.input<typeof NewSubUser>,
): Promise<CreatedAccount> {
  if (actor.role !== 'agent') throw new ServiceError('agent_required')
  const user = parseInput(NewSubUser, input)
  const passwordHash = await deps.passwords.hash(user.password)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const id = await insertAccount(tx, now, { ...user, passwordHash, role: 'user', agentId: actor.id })
    if (user.balance > 0) await transferToSubUser(tx, now, actor, id, user.balance, 'Initial balance')
    return { id, username: user.username }
  })
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
}

async function insertAccount(tx: Tx, now: Date, row: AccountRow): Promise<number> {
  const { username, passwordHash, role, agentId, level, funding, email, phone, remark } = row
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
    }
    return (await tx.account.create({ data: { ...data, ...optional }, select: { id: true } })).id
  } catch (error) {
    if (uniqueViolation(error)) throw new ServiceError('username_taken')
    throw error
  }
}
