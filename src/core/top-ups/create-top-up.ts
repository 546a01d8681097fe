import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '../access.ts'
import { dayOf } from '../calendar-day.ts'
import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { announceToOperators } from '../notices/announce.ts'
import { type TopUp, readTopUp, topUpOfClient } from './top-up.ts'
import type { TopUpTerms } from './top-up-terms.ts'
import { creditFor, TAIL_STEP, TAILS, type Usdt, usdtFrom, usdtText } from './usdt.ts'
import { recordTopUpEvents } from '../webhooks/top-up-events.ts'

/** Top-ups of one user that may await their payment at once (rules 8.5). */
const MAX_OPEN = 3
/** Unpaid top-ups of a user in a day: each reserves an amount for about a day. */
const MAX_UNPAID = 20
const DAY_MS = 24 * 60 * 60_000
/** With so few free amounts left, the operator is told. */
const FEW_TAILS = 10

/** Body of create-order (rules 8.1, 8.3). */
export const TopUpInput = z.object({
  /** USDT with at most 2 decimals. */
  amount: z
    .union([z.string(), z.number()], 'not_a_usdt_amount')
    .refine((text) => usdtFrom(text) !== undefined, 'not_a_usdt_amount'),
  /** The caller's own number: a repetition of the request gets the same top-up. */
  clientOrderNo: z.string().trim().min(1).max(64).optional(),
  /** Callback data with which the chat continues after the payment. */
  reference: z.string().max(64).optional(),
})
export type TopUpInput = z.input<typeof TopUpInput>

/** Whether USDT is taken: not while the configured wallet or token is wrong according to the chain, as nothing would be credited. */
export async function acceptsTopUps({ topUps }: Pick<CoreDeps, 'topUps'>): Promise<boolean> {
  return topUps !== undefined && !(await topUps.scanner.misconfigured())
}

/**
 * Opens a top-up, which reserves its pay amount for this user until its grace period is over (rules 8.4).
 *
 * @returns the top-up, and whether it existed already
 * @throws validation_error, amount_out_of_range, too_many_pending_orders, idempotency_conflict, top_up_disabled; unavailable when all
 *   amounts near this one are taken
 */
export async function createTopUp(
  deps: CoreDeps,
  actor: Actor,
  input: TopUpInput,
): Promise<{ topUp: TopUp; replayed: boolean }> {
  const { terms, scanner } = deps.topUps ?? {}
  if (!terms || !(await acceptsTopUps(deps))) throw new ServiceError('top_up_disabled')
  const { amount: written, clientOrderNo, reference } = parseInput(TopUpInput, input)
  const amount = usdtFrom(written) ?? 0
  if (amount < terms.min || amount > terms.max) {
    const limits = { min_amount: usdtText(terms.min), max_amount: usdtText(terms.max) }
    throw new ServiceError('amount_out_of_range', { data: limits })
  }
  const result = await deps.db.write(async (tx) => {
    const known = clientOrderNo === undefined ? undefined : await topUpOfClient(tx, actor.id, clientOrderNo)
    if (known && known.amount !== amount)
      throw new ServiceError('idempotency_conflict', { data: { client_order_no: clientOrderNo } })
    if (known) return { topUp: known, replayed: true }
    const now = deps.clock.now()
    await refuseTooMany(tx, now, actor)
    const tail = await freeTail(deps, tx, terms, amount)
    // Return instead of throw: the notice to the operator must be committed.
    if (tail === undefined) return undefined
    const orderNo = newNumber('U', now)
    const expiresAt = new Date(now.getTime() + terms.expireMs)
    const { wallet, contract, rate } = terms
    await tx.$kysely
      .insertInto('topUps')
      .values({
        orderNo,
        userId: actor.id,
        clientOrderNo,
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
    await recordTopUpEvents(tx, now, 'top_up.created', [{ orderNo, userId: actor.id }])
    return { topUp: await readTopUp(tx, orderNo), replayed: false }
  })
  deps.jobs.wake()
  if (!result)
    throw new ServiceError('unavailable', {
      data: { reason: 'amount_taken', amount: usdtText(amount) },
      retryAfter: 60,
    })
  scanner?.wake()
  return result
}

/** Refuses a user who has reserved too many amounts, which are scarce. */
async function refuseTooMany(tx: Tx, now: Date, actor: Actor): Promise<void> {
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
    .where('createdAt', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .executeTakeFirstOrThrow()
  const secondsUntil = (time: number) => Math.max(Math.ceil((time - now.getTime()) / 1000), 1)
  if (found.open >= MAX_OPEN) {
    const retryAfter = secondsUntil(Date.parse(found.freeAt ?? ''))
    throw new ServiceError('too_many_pending_orders', { data: { max_pending_orders: MAX_OPEN }, retryAfter })
  }
  if (found.unpaid >= MAX_UNPAID) {
    const retryAfter = secondsUntil(Date.parse(found.oldest ?? '') + DAY_MS)
    throw new ServiceError('too_many_pending_orders', { data: { max_unpaid_orders: MAX_UNPAID }, retryAfter })
  }
}

/**
 * A tail whose pay amount no other top-up holds; the database refuses a second one. Random, so that nobody can guess the amounts of
 * others. The operator is told when few are left, and when none is.
 *
 * @returns undefined when all are taken
 */
async function freeTail(deps: CoreDeps, tx: Tx, terms: TopUpTerms, amount: Usdt): Promise<Usdt | undefined> {
  const held = await tx.$kysely
    .selectFrom('topUps')
    .select('payUnits')
    .where('wallet', '=', terms.wallet)
    .where('contract', '=', terms.contract)
    .where('releasedAt', 'is', null)
    .where(({ between }) => between('payUnits', amount + TAIL_STEP, amount + TAILS * TAIL_STEP))
    .execute()
  const taken = new Set(held.map(({ payUnits }) => payUnits))
  const tails = Array.from({ length: TAILS }, (_, index) => (index + 1) * TAIL_STEP)
  const free = tails.filter((tail) => !taken.has(amount + tail))
  if (free.length <= FEW_TAILS) {
    const left = Math.max(free.length - 1, 0)
    await announceToOperators(deps, tx, {
      kind: 'top_up_slots_low',
      subject: `${usdtText(amount)} ${left > 0 ? 'few' : 'none'} ${dayOf(deps.clock.now())}`,
      data: { amountUnits: amount, free: left },
    })
  }
  return free.length > 0 ? free[randomInt(free.length)] : undefined
}
