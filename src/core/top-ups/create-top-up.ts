import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { dayOf } from '../calendar-day.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { type TopUp, readTopUp, topUpOfClient } from './top-up.ts'
import type { ChainScanner } from './chain-scanner.ts'
import type { Watched } from './scan-state.ts'
import { CANCELLED_GRACE_MS, type TopUpTerms } from './top-up-terms.ts'
import { creditFor, SHORT_TAILS, TAILS, type Usdt, usdtFrom, usdtText } from '../usdt.ts'
import { addsWork } from '../jobs/added-work.ts'
import { happened } from '../facts/happened.ts'
import type { TopUpDeps } from './deps.ts'

/** Top-ups of one user that may await their payment at once (rules 8.5). */
const MAX_OPEN = 3
/** Most unpaid top-ups of a user within a day, or within expiry and grace when that is longer (rules 8.5). */
const MAX_UNPAID = 20
const DAY_MS = 24 * 60 * 60_000
/** Number of tails of less than a cent in use from which on the longer ones are used, too. */
const SHORT_IN_USE = 50
/** Ended unpaid top-ups near an amount that all accounts of an agent may have while more than half of the tails are in use. */
const MAX_ABANDONED = 200
/** Number of free amounts at or below which the operator is told. */
const FEW_TAILS = 10

const secondsUntil = (now: Date, time: number) => Math.max(Math.ceil((time - now.getTime()) / 1000), 1)

/** Body of create-order (rules 8.1, 8.3). */
export const TopUpInput = z.object({
  /** USDT with at most 2 decimals. */
  amount: z
    .union([z.string(), z.number()], 'not_a_usdt_amount')
    .refine((text) => usdtFrom(text) !== undefined, 'not_a_usdt_amount'),
  /** Id of the network over which it is paid; the usual one when missing. */
  network: z.string().max(20).optional(),
  /** The caller's own number: a repetition of the request gets the same top-up. */
  clientOrderNo: z.string().trim().min(1).max(64).optional(),
  /** Callback data with which the chat continues after the payment. */
  reference: z.string().max(64).optional(),
})
export type TopUpInput = z.input<typeof TopUpInput>

/**
 * Whether USDT is taken on a network: not while its wallet or token is wrong according to the chain, as nothing would be credited.
 *
 * @param id of the network; undefined: the usual one
 */
export async function acceptsTopUps(deps: Pick<TopUpDeps, 'topUps'>, id?: string): Promise<boolean> {
  const scanner = scannerOf(deps, id)
  return scanner !== undefined && !(await scanner.misconfigured())
}

/** Returns what reads a network, or the usual one; undefined where it is not open. */
export function scannerOf({ topUps }: Pick<TopUpDeps, 'topUps'>, id?: string): ChainScanner | undefined {
  return id === undefined ? topUps?.scanners[0] : topUps?.scanners.find(({ open }) => open.network.id === id)
}

/**
 * Opens a top-up, which reserves its pay amount for this user until its grace period is over (rules 8.4).
 *
 * @returns the top-up, and whether it existed already
 * @throws validation_error, amount_out_of_range, too_many_pending_orders, idempotency_conflict, top_up_disabled; unavailable when all
 *   amounts near this one are taken
 */
export async function createTopUp(
  deps: TopUpDeps,
  actor: Actor,
  input: TopUpInput,
): Promise<{ topUp: TopUp; replayed: boolean }> {
  const { terms } = deps.topUps ?? {}
  if (!terms) throw new ServiceError('top_up_disabled')
  const { amount: written, network: id, clientOrderNo, reference } = parseInput(TopUpInput, input)
  const scanner = scannerOf(deps, id)
  if (!scanner) throw InvalidInput.of('network', 'unknown_network')
  if (await scanner.misconfigured()) throw new ServiceError('top_up_disabled')
  const {
    wallet,
    contract,
    network: { id: network },
  } = scanner.open
  const amount = usdtFrom(written) ?? 0
  if (amount < terms.min || amount > terms.max) {
    const limits = { min_amount: usdtText(terms.min), max_amount: usdtText(terms.max) }
    throw new ServiceError('amount_out_of_range', { data: limits })
  }
  const result = await deps.db.write(async (tx) => {
    const known = clientOrderNo === undefined ? undefined : await topUpOfClient(tx, actor.id, clientOrderNo)
    if (known && (known.amount !== amount || (id !== undefined && known.network !== id)))
      throw new ServiceError('idempotency_conflict', { data: { client_order_no: clientOrderNo } })
    if (known) return { topUp: known, replayed: true }
    const now = deps.clock.now()
    await refuseTooMany(tx, now, actor, terms)
    const place = await findPlace(deps, tx, { network, wallet, contract }, amount, actor)
    // Returned instead of thrown: the notice to the operator must be committed.
    if ('refusal' in place) return place
    const { tail } = place
    const orderNo = newNumber('U', now)
    const expiresAt = new Date(now.getTime() + terms.expireMs)
    const { rate } = terms
    await tx.$kysely
      .insertInto('topUps')
      .values({
        orderNo,
        userId: actor.id,
        clientOrderNo,
        network,
        wallet,
        contract,
        amountUnits: amount,
        payUnits: amount + tail,
        rate,
        creditAmount: creditFor(amount + tail, rate),
        reference,
        expiresAt,
        matchUntil: new Date(expiresAt.getTime() + terms.graceMs),
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    happened(tx, { kind: 'top_up.created', orderNo, userId: actor.id })
    // The chain is scanned more often from now on.
    addsWork(tx, 'chain')
    return { topUp: await readTopUp(tx, orderNo), replayed: false }
  })
  if ('refusal' in result) throw result.refusal
  return result
}

/** Refuses a user who has reserved too many amounts, which are scarce. */
async function refuseTooMany(
  tx: Tx,
  now: Date,
  actor: Actor,
  { expireMs, graceMs }: TopUpTerms,
): Promise<void> {
  const windowMs = Math.max(DAY_MS, expireMs + graceMs)
  const found = await tx.$kysely
    .selectFrom('topUps')
    .select(({ eb, fn, or, and }) => {
      const waits = and([eb('status', '=', 'pending'), eb('expiresAt', '>', now.toISOString())])
      const open = or([eb('status', '=', 'confirming'), waits])
      return [
        fn.countAll<number>().filterWhere(open).as('open'),
        fn.min('expiresAt').filterWhere(open).as('freeAt'),
        fn.countAll<number>().filterWhere('status', '<>', 'paid').as('unpaid'),
        fn.min('createdAt').filterWhere('status', '<>', 'paid').as('oldest'),
      ]
    })
    .where('userId', '=', actor.id)
    .where('createdAt', '>', new Date(now.getTime() - windowMs).toISOString())
    .executeTakeFirstOrThrow()
  if (found.open >= MAX_OPEN) {
    const retryAfter = secondsUntil(now, Date.parse(found.freeAt ?? ''))
    throw new ServiceError('too_many_pending_orders', { data: { max_pending_orders: MAX_OPEN }, retryAfter })
  }
  if (found.unpaid >= MAX_UNPAID) {
    const retryAfter = secondsUntil(now, Date.parse(found.oldest ?? '') + windowMs)
    throw new ServiceError('too_many_pending_orders', { data: { max_unpaid_orders: MAX_UNPAID }, retryAfter })
  }
}

/** A free tail for an amount, or the refusal when there is none. */
type Place = { readonly tail: Usdt } | { readonly refusal: ServiceError }

/**
 * Chooses a tail whose pay amount no other top-up holds (rules 8.4); the database refuses a second one. Random, so that nobody can
 * guess the amounts of others. The operator is told when few are left, and when none is.
 *
 * @returns the refusal when there is none for this actor; not thrown, so that the notice and the ended graces are committed
 */
async function findPlace(
  deps: TopUpDeps,
  tx: Tx,
  { network, wallet, contract }: Watched,
  amount: Usdt,
  actor: Actor,
): Promise<Place> {
  const now = deps.clock.now()
  const held = await tx.$kysely
    .selectFrom('topUps as t')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['t.payUnits', 't.status', 't.matchUntil', 'u.agentId', 'u.id as userId'])
    .where('t.network', '=', network)
    .where('t.wallet', '=', wallet)
    .where('t.contract', '=', contract)
    .where('t.releasedAt', 'is', null)
    .where(({ between }) => between('t.payUnits', amount + 1, amount + (TAILS.at(-1) ?? 0)))
    .execute()
  const taken = new Set(held.map(({ payUnits }) => payUnits))
  const isFree = (tail: Usdt) => !taken.has(amount + tail)
  const short = SHORT_TAILS.filter(isFree)
  if (SHORT_TAILS.length - short.length < SHORT_IN_USE) return { tail: anyOf(short) }
  const free = TAILS.filter(isFree)
  if (free.length < TAILS.length / 2) {
    await endGraceOfCancelled(deps, tx, [...taken], { network, wallet, contract })
    const agent = actor.agentId ?? actor.id
    const abandoned = held.filter(
      ({ status, agentId, userId }) =>
        (status === 'cancelled' || status === 'expired') && (agentId ?? userId) === agent,
    )
    if (abandoned.length >= MAX_ABANDONED) {
      const freeAt = Math.min(...abandoned.map(({ matchUntil }) => Date.parse(matchUntil)))
      const data = { max_unpaid_orders_of_agent: MAX_ABANDONED, amount: usdtText(amount) }
      const retryAfter = secondsUntil(now, freeAt)
      return { refusal: new ServiceError('too_many_pending_orders', { data, retryAfter }) }
    }
  }
  if (free.length <= FEW_TAILS) {
    const left = Math.max(free.length - 1, 0)
    happened(tx, {
      kind: 'top_up_slots_low',
      subject: `${usdtText(amount)} ${left > 0 ? 'few' : 'none'} ${dayOf(now)}`,
      data: { amountUnits: amount, free: left },
    })
  }
  if (free.length > 0) return { tail: anyOf(free) }
  const data = { reason: 'amount_taken', amount: usdtText(amount) }
  return { refusal: new ServiceError('unavailable', { data, retryAfter: 60 }) }
}

function anyOf(tails: readonly Usdt[]): Usdt {
  return tails[randomInt(tails.length)] ?? 0
}

/**
 * Ends the grace of top-ups that were cancelled some time ago and that nobody has paid: their amounts are released once all blocks up
 * to now were read, and a later payment of one waits for the operator (rules 8.4).
 */
async function endGraceOfCancelled(
  deps: TopUpDeps,
  tx: Tx,
  payUnits: readonly number[],
  { network, wallet, contract }: Watched,
): Promise<void> {
  const now = deps.clock.now()
  const ended = await tx.$kysely
    .updateTable('topUps')
    .set({ matchUntil: now, updatedAt: now })
    .where('network', '=', network)
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .where('payUnits', 'in', listOf(payUnits))
    .where('releasedAt', 'is', null)
    .where('status', '=', 'cancelled')
    .where('cancelledAt', '<=', new Date(now.getTime() - CANCELLED_GRACE_MS).toISOString())
    .where('matchUntil', '>', now.toISOString())
    .returning('orderNo')
    .execute()
  happened(tx, ...ended.map((topUp) => ({ kind: 'top_up.given_up' as const, ...topUp })))
}
