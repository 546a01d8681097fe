import { z } from 'zod'
import { PayoutStatus } from '../../generated/prisma/enums.ts'
import { type Actor, requireAgent } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { allOf, literal, rowsAsJson } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { total } from '../ledger/rule.ts'
import type { Micros } from '../money.ts'
import { type Page, paging } from '../page.ts'
import { type Held, Money, Time, UsdtText } from '../record.ts'
import { UpdatedSince } from '../updated-since.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const PAYOUT_STATUSES = Object.values(PayoutStatus)
export type { PayoutStatus }

/** What is shown of earnings that an agent wants to be paid out (rules 13.6). */
export const PAYOUT = {
  payoutNo: z.string().meta({ description: 'Number of the payout' }),
  username: z.string().meta({ description: 'The agent' }),
  amount: Money.meta({ description: 'What it takes of the earnings' }),
  usdtUnits: UsdtText.meta({
    description: 'What the amount was worth at the request: USDT, at most 6 decimals',
  }),
  rate: Money.meta({ description: 'Account currency per USDT, at the request' }),
  address: z.string(),
  status: z.enum(PAYOUT_STATUSES).meta({
    description:
      '`requested`: the shop has not decided yet; `cancelled` by the agent. What is not `paid` comes back',
  }),
  txid: z.string().nullable().meta({ description: 'The transaction with which it was paid; null: not paid' }),
  reason: z.string().meta({ description: 'Why it was refused; else empty' }),
  createdAt: Time,
  updatedAt: Time.meta({ description: 'When it was made, or has ended' }),
  endedAt: Time.nullable().meta({ description: 'When it was paid, refused or cancelled; null: not yet' }),
}
/** Names in the API and in `--json`, where they are not those inside. */
export const PAYOUT_NAMES = { usdtUnits: 'usdt', rate: 'exchange_rate' } as const

export interface Payout extends Omit<Held<typeof PAYOUT>, 'updatedAt'> {
  readonly id: number
  readonly agentId: number
}

export const PAYOUT_EXAMPLE: Payout = {
  id: 1,
  payoutNo: 'P20261120175700123K7M2P9QX',
  agentId: 1,
  username: 'agent',
  amount: 10_000_000,
  rate: 1_000_000,
  usdtUnits: 10_000_000,
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  status: 'requested',
  txid: null,
  reason: '',
  createdAt: '2026-11-20T17:57:00.123Z',
  endedAt: null,
}

/** Selects {@link Payout}s; the payout is `x`. */
function payouts(db: Pick<Queries, 'selectFrom'>) {
  return db
    .selectFrom('payouts as x')
    .innerJoin('accounts as u', 'u.id', 'x.agentId')
    .select(['x.id', 'x.payoutNo', 'x.agentId', 'u.username', 'x.amount', 'x.rate', 'x.usdtUnits'])
    .select(['x.address', 'x.status', 'x.txid', 'x.reason', 'x.createdAt', 'x.endedAt'])
}

export const PayoutFilter = z.object({
  ...paging,
  status: z.enum(PAYOUT_STATUSES).optional(),
  updatedSince: UpdatedSince.optional(),
})

/**
 * Lists the payouts of an agent, newest first (rules 13.6).
 *
 * @throws agent_required, validation_error
 */
export async function listPayouts(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof PayoutFilter> = {},
): Promise<Page<Payout>> {
  requireAgent(actor)
  return pageOf(db.read, parseInput(PayoutFilter, input), actor.id)
}

/** Lists the payouts of all agents, for the operator, newest first; with the status `requested` oldest first. */
export async function listAllPayouts(
  { db }: Essentials,
  input: z.input<typeof PayoutFilter> = {},
): Promise<Page<Payout>> {
  return pageOf(db.read, parseInput(PayoutFilter, input))
}

/**
 * Returns one payout of an agent.
 *
 * @throws agent_required; payout_not_found, also when it is of another agent
 */
export async function getPayout({ db }: Essentials, actor: Actor, payoutNo: string): Promise<Payout> {
  requireAgent(actor)
  return payoutOf(db.read, payoutNo, actor.id)
}

/** A payout, and where the money of its agent came from (rules 13.15). */
export interface PayoutWithOrigin extends Payout {
  /** What the agent and its sub-users have topped up. */
  readonly toppedUp: Micros
  /** What the operator has credited to them as paid, less what it has deducted as paid back. */
  readonly creditedAsPaid: Micros
  /** What the agent's other payouts took, those that wait included. */
  readonly paidOut: Micros
  /** Earnings that may be paid out or were, and the part of them by what the agent itself ordered for its sub-users. */
  readonly payable: Micros
  readonly payableByAgent: Micros
}

/** Finds any payout, for the operator; undefined when there is none with this number. */
export async function findPayout(
  { db }: Essentials,
  payoutNo: string,
): Promise<PayoutWithOrigin | undefined> {
  return payouts(db.read.$kysely)
    .select(({ selectFrom, ref }) => {
      const entries = selectFrom('ledgerEntries as l').whereRef('l.scopeId', '=', 'x.agentId')
      const earned = selectFrom('earnings as e')
        .select((e) => total(e.ref('e.payable')).as('sum'))
        .whereRef('e.agentId', '=', 'x.agentId')
      return [
        entries
          .select((l) => total(l.ref('l.amount')).as('sum'))
          .where('l.type', '=', 'recharge')
          .where('l.source', 'like', 'usdt:%')
          .$asScalar()
          .$notNull()
          .as('toppedUp'),
        entries
          .select((l) => total(l.ref('l.paidIn').$notNull()).as('sum'))
          .where('l.type', '=', 'adjust')
          .where('l.source', 'like', 'adjust:%')
          .$asScalar()
          .$notNull()
          .as('creditedAsPaid'),
        selectFrom('payouts as other')
          .select((other) => total(other.ref('other.amount')).as('sum'))
          .where('other.agentId', '=', ref('x.agentId'))
          .where('other.id', '<>', ref('x.id'))
          .where('other.status', 'in', ['requested', 'paid'])
          .$asScalar()
          .$notNull()
          .as('paidOut'),
        earned.$asScalar().$notNull().as('payable'),
        earned
          .innerJoin('ledgerEntries as l', 'l.source', 'e.source')
          .whereRef('l.operatorId', '=', 'e.agentId')
          .$asScalar()
          .$notNull()
          .as('payableByAgent'),
      ]
    })
    .where('x.payoutNo', '=', payoutNo)
    .executeTakeFirst()
}

/**
 * Reads a payout as the connection or open transaction sees it.
 *
 * @param agentId its agent; without it, that of any agent
 * @throws payout_not_found
 */
export async function payoutOf(db: Readable, payoutNo: string, agentId?: number): Promise<Payout> {
  const [found] = await findOfNumber(db, { payoutNo })
  if (!found || (agentId !== undefined && found.agentId !== agentId))
    throw new ServiceError('payout_not_found')
  return found
}

const findOfNumber = compiled<{ payoutNo: string }>()((db, { payoutNo }) =>
  payouts(db).where('x.payoutNo', '=', payoutNo),
)

async function pageOf(
  { $kysely }: Readable,
  { page, pageSize, status, updatedSince }: z.output<typeof PayoutFilter>,
  agentId?: number,
): Promise<Page<Payout>> {
  const wanted = $kysely
    .selectFrom('payouts as x')
    .where(({ eb, or }) =>
      allOf([
        ...(agentId === undefined ? [] : [eb('x.agentId', '=', agentId)]),
        ...(status === undefined ? [] : [eb('x.status', '=', literal(status))]),
        ...(updatedSince === undefined
          ? []
          : [or([eb('x.createdAt', '>=', updatedSince), eb('x.endedAt', '>=', updatedSince)])]),
      ]),
    )
  const oldestFirst = agentId === undefined && status === 'requested'
  const ids = wanted
    .select('x.id')
    .orderBy('x.id', oldestFirst ? 'asc' : 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const items = payouts($kysely).where('x.id', 'in', ids)
  // One statement for count and rows: they belong to the same moment.
  const found = await $kysely
    .selectNoFrom(({ fn }) => [
      wanted.select(fn.countAll<number>().as('total')).as('total'),
      rowsAsJson(items, oldestFirst ? 'id' : 'id desc').as('items'),
    ])
    .executeTakeFirstOrThrow()
  return { items: found.items, total: found.total ?? 0, page, pageSize }
}
