import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { fromNumber } from '../money.ts'
import { once } from '../requests/once.ts'
import { type Page, paging } from '../page.ts'
import { type Held, Money, Time } from '../record.ts'
import { RequestKey } from '../requests/request-key.ts'
import { hashOf, openedToken } from '../token-hash.ts'
import { InitialBalance } from './create-account.ts'
import type { Essentials } from '../jobs/essentials.ts'

const DAY_MS = 86_400_000
/** 43 characters in base64; a deep link may have 64. */
const TOKEN_BYTES = 32
/** Prefix that tells a registration from other parameters of a deep link. */
const MARK = 'join_'

export const NewJoinLink = z.object({
  /** Start balance of each newcomer, in units of the currency; the agent pays. */
  trial: InitialBalance,
  /** Limit of all start balances together, in units of the currency; without it, the agent's balance is the limit. */
  budget: InitialBalance.unwrap().nullish(),
  maxUses: z.int().min(1).max(1_000_000).nullish(),
  /** Days for which the link works; without it, until it is revoked. */
  days: z.int().min(1).max(365).nullish(),
})

const JoinLinkCreation = NewJoinLink.extend({ requestKey: RequestKey.nullish() })

export const JOIN_LINK_STATES = ['open', 'used_up', 'expired', 'revoked'] as const
export type JoinLinkState = (typeof JOIN_LINK_STATES)[number]

/** What is shown of a link by which newcomers register themselves as sub-users of an agent (rules 2.21). */
export const JOIN_LINK = {
  id: z.int(),
  state: z.enum(JOIN_LINK_STATES).meta({ description: 'Newcomers can register while it is `open`' }),
  trial: Money.meta({ description: 'What each newcomer starts with' }),
  budget: Money.nullable().meta({ description: 'What all start balances may cost; null: no limit' }),
  spent: Money.meta({ description: 'What they have cost' }),
  uses: z.int().meta({ description: 'How many have registered by it' }),
  maxUses: z.int().nullable().meta({ description: 'How many can; null: no limit' }),
  expiresAt: Time.nullable().meta({ description: 'When it expires; null: never' }),
  revokedAt: Time.nullable().meta({ description: 'When it was revoked; null: it was not' }),
  createdAt: Time,
}

export type JoinLink = Held<typeof JOIN_LINK>

export const JOIN_LINK_EXAMPLE: JoinLink = {
  id: 1,
  state: 'open',
  trial: 1_000_000,
  budget: 50_000_000,
  spent: 12_000_000,
  uses: 12,
  maxUses: 100,
  expiresAt: '2026-12-20T17:57:00.123Z',
  revokedAt: null,
  createdAt: '2026-11-20T17:57:00.123Z',
}

/** A link with the parameter that starts the bot; undefined where the token cannot be read, as for a link of an older version. */
export type StartingLink = JoinLink & { readonly start: string | undefined }

/**
 * An agent makes a link by which newcomers become its sub-users (rules 2.21).
 *
 * @returns the link, with the parameter with which it starts the bot
 * @throws agent_required, idempotency_conflict, validation_error
 */
export async function createJoinLink(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof JoinLinkCreation>,
): Promise<JoinLink & { readonly start: string; readonly replayed: boolean }> {
  requireAgent(actor)
  const { requestKey, ...terms } = parseInput(JoinLinkCreation, input)
  const { maxUses = null, days = null } = terms
  const trial = fromNumber(terms.trial) ?? 0
  const budget = typeof terms.budget === 'number' ? (fromNumber(terms.budget) ?? 0) : null
  if (budget !== null && budget < trial) throw InvalidInput.of('budget', 'less_than_trial')
  return once(deps, actor, { key: requestKey, kind: 'create_join_link', input: terms }, async (tx) => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const now = deps.clock.now()
    const tokenHash = hashOf(token)
    const id = await insertJoinLink(tx, {
      tokenHash,
      sealed: deps.linkTokens.seal(token, tokenHash),
      agentId: actor.id,
      keyId: actor.keyId ?? null,
      trial,
      budget,
      maxUses,
      expiresAt: days === null ? null : new Date(now.getTime() + days * DAY_MS),
      createdAt: now,
    })
    happened(tx, { kind: 'join_link.created', actor })
    return { ...(await findJoinLink(deps, tx, actor, id)), start: MARK + token }
  })
}

/** Returns the token of a registration link in the parameter of `/start`; undefined for anything else. */
export function joinTokenIn(parameter: string): string | undefined {
  return parameter.startsWith(MARK) ? parameter.slice(MARK.length) : undefined
}

const insertJoinLink = compiledInsert('joinLinks')

export const JoinLinkFilter = z.object(paging)

/**
 * Lists the links of an agent, newest first.
 *
 * @throws agent_required, validation_error
 */
export async function listJoinLinks(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof JoinLinkFilter> = {},
): Promise<Page<JoinLink>> {
  requireAgent(actor)
  const { page, pageSize } = parseInput(JoinLinkFilter, input)
  const { total } = await db.read.$kysely
    .selectFrom('joinLinks')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('agentId', '=', actor.id)
    .executeTakeFirstOrThrow()
  const rows = await joinLinks(db.read, actor)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items: rows.map((row) => withState(row, clock.now())), total, page, pageSize }
}

/**
 * Returns one link of the agent.
 *
 * @param id undefined for what cannot be one
 * @throws agent_required, join_link_not_found
 */
export async function getJoinLink(
  deps: Essentials,
  actor: Actor,
  id: number | undefined,
): Promise<StartingLink> {
  requireAgent(actor)
  return findJoinLink(deps, deps.db.read, actor, id)
}

/**
 * Ends a link of the agent; accounts that were registered by it stay.
 *
 * @throws agent_required, join_link_not_found
 */
export async function revokeJoinLink(
  deps: Essentials,
  actor: Actor,
  id: number | undefined,
): Promise<StartingLink> {
  requireAgent(actor)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    await tx.$kysely
      .updateTable('joinLinks')
      .set({ revokedAt: now })
      .where('id', '=', id ?? 0)
      .where('agentId', '=', actor.id)
      .where('revokedAt', 'is', null)
      .execute()
    happened(tx, { kind: 'join_link.revoked', actor })
    return findJoinLink(deps, tx, actor, id)
  })
}

async function findJoinLink(
  { clock, linkTokens }: Essentials,
  db: Readable,
  actor: Actor,
  id = 0,
): Promise<StartingLink> {
  const found = await joinLinks(db, actor)
    .select(['sealed', 'tokenHash'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new ServiceError('join_link_not_found')
  const { sealed, tokenHash, ...row } = found
  const token = openedToken(linkTokens, sealed, tokenHash)
  return { ...withState(row, clock.now()), start: token === undefined ? undefined : MARK + token }
}

function joinLinks(db: Readable, { id }: Actor) {
  return db.$kysely
    .selectFrom('joinLinks')
    .select(['id', 'trial', 'budget', 'spent', 'uses', 'maxUses', 'expiresAt', 'revokedAt', 'createdAt'])
    .where('agentId', '=', id)
}

type Limits = Pick<JoinLink, 'uses' | 'maxUses' | 'expiresAt' | 'revokedAt'>

function withState<Row extends Limits>(row: Row, now: Date): Row & { readonly state: JoinLinkState } {
  return { ...row, state: stateOf(row, now) }
}

/** Returns whether newcomers can register by a link, or why not. */
export function stateOf({ uses, maxUses, expiresAt, revokedAt }: Limits, now: Date): JoinLinkState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now.toISOString()) return 'expired'
  return maxUses !== null && uses >= maxUses ? 'used_up' : 'open'
}
