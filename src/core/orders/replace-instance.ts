import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable, Tx } from '../database/database.ts'
import { parseInput } from '../errors.ts'
import { newNumber } from '../ids.ts'
import type { Micros } from '../money.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { carryOutReplacement } from './carry-out-replacement.ts'
import { expireDueOf } from './expire-instances.ts'
import { canBuyReplacement } from './replace-supplied.ts'
import { findReplaced, type ReplacedProxy, readReplaced } from './replaced-proxy.ts'
import { type Replacement, selectReplacements } from './replacement.ts'
import { type ReplacementGround, replacementTerms } from './replacement-terms.ts'
import { restOfTerm } from './rest-of-term.ts'
import { supplierOf } from '../supply/supplier.ts'
import { happened } from '../facts/happened.ts'
import { InstanceNo } from '../identifiers.ts'
import type { OrderDeps } from './deps.ts'

/** What a replacement of a proxy would do now. */
export interface ReplacementQuote {
  readonly instanceNo: string
  readonly orderNo: string
  readonly ip: string
  readonly port: number
  readonly ground: ReplacementGround
  /** `at_once`: it is exchanged now; `ask`: the operator decides. */
  readonly way: 'at_once' | 'ask'
  /** Whether another proxy of the same product and place is free now. */
  readonly available: boolean
  /** What comes back where no such proxy is free. */
  readonly refundAmount: Micros
  /** Expiry time of the other proxy. */
  readonly expireTime: string
}

const QuoteInput = z.object({ instanceNo: InstanceNo })

/**
 * Tells what a replacement of a proxy would do now (rules 5.22). Changes nothing.
 *
 * @throws as {@link replaceInstance}, but for out_of_stock
 */
export async function quoteReplacement(
  deps: OrderDeps,
  actor: Actor,
  input: z.input<typeof QuoteInput>,
): Promise<ReplacementQuote> {
  const { instanceNo } = parseInput(QuoteInput, input)
  const { db, clock } = deps
  const proxy = await findReplaced(db.read, actor, instanceNo)
  const { ground, testFailed, ...terms } = replacementTerms(proxy, clock.now())
  const { orderNo, ip, port, expireTime } = proxy
  const available = await isAvailable(deps, db.read, proxy)
  const way = available || testFailed ? terms.way : 'ask'
  const { amount: refundAmount } = await restOfTerm(db.read, proxy, clock.now())
  return { instanceNo, orderNo, ip, port, ground, way, available, refundAmount, expireTime }
}

async function isAvailable(deps: OrderDeps, db: Readable, proxy: ReplacedProxy): Promise<boolean> {
  const { supplier, orderId, locationId, providerInstanceNo } = proxy
  if (locationId !== null) return canBuyReplacement(db, proxy, deps.clock.now())
  const equal = await supplierOf(deps, supplier).equalTo?.(db, { orderId, providerInstanceNo })
  return equal !== undefined
}

export const ReplacementInput = z.object({
  instanceNo: InstanceNo,
  /** What is wrong with the proxy. */
  reason: z.string().trim().min(1).max(255),
  /** Whether the customer takes the price of the rest of the term where there is no equal proxy. */
  refund: z.boolean().nullish(),
  /** With a key, a repeated request gets the first answer again. */
  requestKey: RequestKey.nullish(),
})

/**
 * Replaces a proxy by another one of the same product and place, which ends when the old one would have ended (rules 5.22): at once
 * where the product allows it and our checks or its age are ground enough, otherwise after a decision of the operator, which also
 * decides on money instead of another proxy, unless a check of ours has failed (rules 5.31). The proxy keeps its number. In one
 * transaction the other one is taken, the address changed and the old one laid aside.
 *
 * @returns the replacement: `done`, `refunded`, `processing` (another proxy is bought or checked) or `requested` (the operator decides)
 * @throws instance_not_found, invalid_state (the proxy is not active, or its product is not replaced), order_processing (it is being
 *   replaced or renewed), rate_limited (it was replaced within the last minute), out_of_stock (no equal proxy, and `refund` is not
 *   set), idempotency_conflict, validation_error
 */
export async function replaceInstance(
  deps: OrderDeps,
  actor: Actor,
  input: z.input<typeof ReplacementInput>,
): Promise<Replacement & { readonly replayed: boolean }> {
  const { requestKey, instanceNo, reason, refund } = parseInput(ReplacementInput, input)
  const request = { instanceNo, reason, refund: refund ?? false }
  const keyed = { key: requestKey, kind: 'replace_instance', input: request }
  return once(deps, actor, keyed, async (tx) => {
    const now = deps.clock.now()
    const { id, orderId } = await findReplaced(tx, actor, instanceNo)
    await expireDueOf(tx, now, orderId)
    const proxy = await readReplaced(tx, id)
    const { ground, way, testFailed } = replacementTerms(proxy, now)
    const wantsMoney = request.refund && !testFailed && !(await isAvailable(deps, tx, proxy))
    const open = await openReplacement(tx, now, { proxy, callerId: actor.id, ground, ...request })
    if (way === 'at_once' && !wantsMoney)
      await carryOutReplacement(deps, tx, proxy, {
        ...open,
        refundAccepted: request.refund && testFailed,
        mayRefund: testFailed,
        operatorId: actor.id,
      })
    else askOperator(tx, proxy, { replacementNo: open.replacementNo, ground, reason })
    return readReplacement(tx, open.replacementNo)
  })
}

interface NewReplacement {
  /** By default a new one. */
  readonly replacementNo?: string
  readonly proxy: ReplacedProxy
  readonly callerId: number
  readonly ground: ReplacementGround
  /** Reason given by the customer, or by the operator who replaces it unasked. */
  readonly reason: string
  readonly note?: string
  readonly refund: boolean
}

/** Notes the wish for a replacement; the database refuses a second open one of the same proxy. */
export async function openReplacement(
  tx: Tx,
  now: Date,
  { replacementNo = newNumber('X', now), proxy, callerId, ground, reason, note = '', refund }: NewReplacement,
): Promise<{ id: number; replacementNo: string }> {
  const id = await insertReplacement(tx, {
    replacementNo,
    instanceId: proxy.id,
    orderId: proxy.orderId,
    callerId,
    status: 'requested',
    reason,
    note,
    ground,
    oldIp: proxy.ip,
    oldPort: proxy.port,
    oldProviderInstanceNo: proxy.providerInstanceNo,
    refundAccepted: refund,
    createdAt: now,
  })
  return { id, replacementNo }
}

const insertReplacement = compiledInsert('replacements')

function askOperator(
  tx: Tx,
  { orderNo, owner, names, ip, port }: ReplacedProxy,
  facts: {
    readonly replacementNo: string
    readonly ground: ReplacementGround
    readonly reason: string
  },
): void {
  happened(tx, {
    kind: 'replacement_wanted',
    subject: facts.replacementNo,
    data: { username: owner, orderNo, names, ip, port, ...facts },
  })
}

/** Reads a replacement by its number, as the connection or open transaction sees it. */
export async function readReplacement(db: Readable, replacementNo: string): Promise<Replacement> {
  const replacement = await replacementNumbered(db, replacementNo)
  if (!replacement) throw new Error(`there is no replacement ${replacementNo}`)
  return replacement
}

/** The same, or undefined where there is none. */
export async function replacementNumbered(
  db: Readable,
  replacementNo: string,
): Promise<Replacement | undefined> {
  const [replacement] = await ofNumber(db, { replacementNo })
  return replacement
}

const ofNumber = compiled<{ replacementNo: string }>()((db, { replacementNo }) =>
  selectReplacements(db).where('r.replacementNo', '=', replacementNo),
)
