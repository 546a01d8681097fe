import { compiled } from '../database/compiled.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import type { Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { ANSWER_MS, answerInTime } from './answer-in-time.ts'
import { noteAnswer, noteFault } from './breaker.ts'
import { type Connection, connectionOf } from './connection-of.ts'
import {
  type Found,
  type Placed,
  type SupplierDriver,
  SupplierFault,
  type SupplierRequest,
} from './driver.ts'
import { type CallInHand, emptyOffer, endCall, type Ending, isPurchase, syncSoon } from './end-call.ts'
import { happened } from '../facts/happened.ts'
import type { SupplyDeps } from './deps.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Delay in ms before a sent call without a recorded answer is looked up; longer than a request takes. */
const LOOK_UP_MS = 30 * SECOND
/** Least time in ms between the two answers "unknown number" after which a call counts as absent. */
const ABSENT_MS = MINUTE
/** As {@link ABSENT_MS}, for a request that the supplier has declined. */
const DECLINED_MS = 10 * SECOND
/** Age in ms up to which an absent call is placed again, and one of unknown outcome is not in doubt. */
const YOUNG_MS = 30 * MINUTE
const DOUBT_POLL_MS = 10 * MINUTE
/** Bounds in ms of the pause between two look-ups of a call; the pause is a fifth of the call's age. */
const POLL_MS = { least: 2 * SECOND, most: MINUTE }

/** The outcome of a step. */
export type StepOutcome =
  | 'accepted'
  | 'open'
  | 'absent'
  | 'settled'
  | 'refused'
  | 'in_doubt'
  | 'fault'
  /** There was nothing to do: somebody else has done it, or the connection is paused. */
  | 'skipped'

export interface Step {
  readonly outcome: StepOutcome
  /** The pause that the supplier has asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

interface OpenCall extends CallInHand {
  readonly state: 'intended' | 'sent' | 'accepted' | 'in_doubt'
  readonly attempts: number
  readonly absentSince: string | null
  /** Why the supplier has declined the request, whose outcome is being looked up; null when it has not. */
  readonly reason: string | null
  readonly providerOrderNo: string | null
  readonly createdAt: string
  readonly userId: number
  readonly callerId: number
  /** Faults of the connection in a row. */
  readonly faults: number
}

/**
 * Carries out the next step of a call (rules 11.10): sends it or looks up its outcome, and records the result. The state `sent` is
 * committed before the request leaves, so that after a crash the call is looked up and not sent again.
 *
 * @param signal ends the wait for the supplier; a request that was sent by then is looked up later
 */
export async function advanceCall(
  deps: SupplyDeps,
  { id }: { readonly id: number },
  signal: AbortSignal = AbortSignal.timeout(ANSWER_MS.request),
): Promise<Step> {
  const [row] = await openCall(deps.db.read, { id })
  if (!row) return SKIPPED
  const { status, request, ...rest } = row
  const call: OpenCall = { ...rest, request: { ...request, callNo: row.callNo } }
  if (call.state === 'intended' && status === 'paused') return SKIPPED
  let connection: Connection
  try {
    connection = await connectionOf(deps, call.connectionId)
  } catch (error) {
    if (!(error instanceof SupplierFault)) throw error
    return noteFailed(deps, call, error, { nextAt: inMs(deps, MINUTE), doubt: isDoubtful(deps, call) })
  }
  if (call.state !== 'intended') return lookUp(deps, call, connection, signal)
  const sent = await deps.db.write((tx) => setSent(tx, { id, now: deps.clock.now(), nextAt: lookUpAt(deps) }))
  const [now] = sent
  return now ? place(deps, { ...call, ...now, state: 'sent' }, connection, signal, 'first') : SKIPPED
}

const SKIPPED: Step = { outcome: 'skipped' }

const openCall = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('supplierCalls as c')
    .innerJoin('supplierConnections as s', 's.id', 'c.connectionId')
    .innerJoin('staticOrders as o', 'o.id', 'c.orderId')
    .select(['c.id', 'c.callNo', 'c.connectionId', 'c.kind', 'c.state', 'c.subject', 'c.count'])
    .select(['c.expectedCost', 'c.attempts', 'c.absentSince', 'c.providerOrderNo', 'c.sentAt', 'c.createdAt'])
    .select('c.reason')
    .select(({ ref }) => parsed<SupplierRequest>(ref('c.request')).as('request'))
    .select('s.status')
    .select(['s.name as connection', 's.rate', 's.faults', 'o.orderNo', 'o.userId', 'o.callerId'])
    .$narrowType<{ state: OpenCall['state'] }>()
    .where('c.id', '=', id)
    .where('c.nextAt', 'is not', null),
)

function inMs(deps: SupplyDeps, ms: number): Date {
  return new Date(deps.clock.now().getTime() + ms)
}

const lookUpAt = (deps: SupplyDeps) => inMs(deps, LOOK_UP_MS)

/** Marks an intended call as sent: the supplier may have the request from now on. */
const setSent = compiled<{ id: number; now: Date; nextAt: Date }>()((db, { id, now, nextAt }) =>
  db
    .updateTable('supplierCalls')
    .set(({ eb }) => ({
      state: 'sent',
      sentAt: now,
      absentSince: null,
      attempts: eb('attempts', '+', 1),
      nextAt,
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('state', '=', 'intended')
    .returning(['attempts', 'sentAt']),
)

/** Counts another attempt before a request that the supplier does not know is placed again. */
const setSentAgain = compiled<{ id: number; attempts: number; now: Date; nextAt: Date }>()(
  (db, { id, attempts, now, nextAt }) =>
    db
      .updateTable('supplierCalls')
      .set(({ eb }) => ({
        absentSince: null,
        attempts: eb('attempts', '+', 1),
        nextAt,
        updatedAt: now,
      }))
      .where('id', '=', id)
      .where('state', '=', 'sent')
      .where('attempts', '=', attempts)
      .returning(['attempts', 'sentAt']),
)

/** @param time `first`: nothing was sent for the call before */
async function place(
  deps: SupplyDeps,
  call: OpenCall,
  { driver }: Connection,
  signal: AbortSignal,
  time: 'first' | 'again',
): Promise<Step> {
  const placed = await answerOf<Placed>(signal, () => driver.place(call.request, signal))
  if (!(placed instanceof SupplierFault)) {
    return time === 'again' && placed.status === 'refused'
      ? refusedAgain(deps, call, driver, signal, placed)
      : takeIn(deps, call, placed)
  }
  const pause = Math.max(Math.min(2 ** call.attempts * SECOND, MINUTE), placed.retryAfterMs ?? 0)
  if (placed.kind === 'declined') return declined(deps, call, placed)
  if (placed.kind === 'unknown') return noteFailed(deps, call, placed, { nextAt: inMs(deps, POLL_MS.least) })
  return time === 'first'
    ? noteFailed(deps, call, placed, { nextAt: inMs(deps, pause), unsent: true })
    : noteFailed(deps, call, placed, { nextAt: inMs(deps, pause), absentSince: deps.clock.now() })
}

/**
 * Records that the supplier has declined a request without a guarantee that it is not carried out: the call is looked up soon, and is
 * refused when it is absent twice. The offer is not sold until the offers are read again (rules 11.17).
 */
async function declined(deps: SupplyDeps, call: OpenCall, { message: reason }: SupplierFault): Promise<Step> {
  await deps.db.write(async (tx) => {
    await setKnown(deps, tx, call, { nextAt: inMs(deps, POLL_MS.least), reason: reason.slice(0, 500) })
    await emptyOffer(tx, call)
    await syncSoon(tx, { connectionId: call.connectionId, now: deps.clock.now() })
    if (call.faults > 0) await noteAnswer(tx, call.connectionId)
  })
  return { outcome: 'open' }
}

/** Handles a refused repetition. The refusal counts only if the supplier still does not know the number (rules 11.10). */
async function refusedAgain(
  deps: SupplyDeps,
  call: OpenCall,
  driver: SupplierDriver,
  signal: AbortSignal,
  refusal: Placed & { readonly status: 'refused' },
): Promise<Step> {
  const found = await answerOf<Found>(signal, () => driver.find(call.request, null, signal))
  if (found instanceof SupplierFault)
    return noteFailed(deps, call, found, { nextAt: inMs(deps, POLL_MS.least) })
  if (found.status === 'absent') return takeIn(deps, call, refusal)
  return takeIn(deps, call, found.status === 'open' ? { ...found, status: 'accepted' } : found)
}

/** Returns the answer of a driver, or the fault that it throws. */
async function answerOf<Answer>(
  signal: AbortSignal,
  ask: () => Promise<Answer>,
): Promise<Answer | SupplierFault> {
  try {
    return await answerInTime(signal, ask)
  } catch (error) {
    if (error instanceof SupplierFault) return error
    throw error
  }
}

async function lookUp(
  deps: SupplyDeps,
  call: OpenCall,
  connection: Connection,
  signal: AbortSignal,
): Promise<Step> {
  const { driver } = connection
  const found = await answerOf<Found>(signal, () => driver.find(call.request, call.providerOrderNo, signal))
  if (found instanceof SupplierFault) {
    const doubt = isDoubtful(deps, call)
    const pause = Math.max(pollPause(deps, call), found.retryAfterMs ?? 0)
    return noteFailed(deps, call, found, { nextAt: inMs(deps, doubt ? DOUBT_POLL_MS : pause), doubt })
  }
  if (found.status === 'open') return takeIn(deps, call, { ...found, status: 'accepted' })
  if (found.status === 'ended') return takeIn(deps, call, found)
  return absent(deps, call, connection, signal)
}

/** Handles the answer that the supplier does not know the number. */
async function absent(
  deps: SupplyDeps,
  call: OpenCall,
  connection: Connection,
  signal: AbortSignal,
): Promise<Step> {
  const { state, absentSince, reason } = call
  const wait = reason === null ? ABSENT_MS : DECLINED_MS
  const { findsByNumber } = connection.driver.capabilities
  const hadIt = call.providerOrderNo !== null || state === 'accepted'
  if (!findsByNumber || hadIt) {
    // The answer proves nothing where the supplier is not asked by our number, or had the order before.
    const doubt =
      state === 'sent' ||
      (absentSince !== null && ageOf(deps, absentSince) >= YOUNG_MS && state === 'accepted')
    const nextAt = inMs(deps, doubt || state === 'in_doubt' ? DOUBT_POLL_MS : POLL_MS.most)
    return note(deps, call, { nextAt, absentSince: absentSince ?? deps.clock.now(), doubt }, 'absent')
  }
  if (absentSince === null)
    return note(deps, call, { nextAt: inMs(deps, wait), absentSince: deps.clock.now() }, 'absent')
  const left = wait - ageOf(deps, absentSince)
  if (left > 0) return note(deps, call, { nextAt: inMs(deps, left) }, 'absent')
  if (reason !== null || state === 'in_doubt' || ageOf(deps, call.sentAt) >= YOUNG_MS) {
    const message = reason ?? 'the supplier has never received it'
    return takeIn(deps, call, { status: 'refused', reason: 'other', message })
  }
  const { id, attempts } = call
  const values = { id, attempts, now: deps.clock.now(), nextAt: lookUpAt(deps) }
  const [sent] = await deps.db.write((tx) => setSentAgain(tx, values))
  return sent ? place(deps, { ...call, ...sent }, connection, signal, 'again') : SKIPPED
}

/** Whether the outcome of a sent call has been unknown for too long. */
function isDoubtful(deps: SupplyDeps, { state, sentAt }: OpenCall): boolean {
  return state === 'sent' && ageOf(deps, sentAt) >= YOUNG_MS
}

/** Milliseconds since an ISO time; 0 without one. */
function ageOf({ clock }: SupplyDeps, time: string | null): number {
  return time === null ? 0 : clock.now().getTime() - Date.parse(time)
}

function pollPause(deps: SupplyDeps, { state, sentAt }: OpenCall): number {
  if (state === 'in_doubt') return DOUBT_POLL_MS
  return Math.min(Math.max(ageOf(deps, sentAt) / 5, POLL_MS.least), POLL_MS.most)
}

/** Records a conclusive answer: accepted, ended or refused. */
async function takeIn(
  deps: SupplyDeps,
  call: OpenCall,
  answer: Ending | { readonly status: 'accepted'; readonly providerOrderNo?: string },
): Promise<Step> {
  if (answer.status === 'accepted') {
    const { providerOrderNo } = answer
    const nextAt = inMs(deps, pollPause(deps, { ...call, state: 'accepted' }))
    const known = { nextAt, state: 'accepted', absentSince: null } as const
    const outcome = call.state === 'accepted' ? 'open' : 'accepted'
    return note(deps, call, { ...known, ...(providerOrderNo && { providerOrderNo }) }, outcome)
  }
  const state = await deps.db.write(async (tx) => {
    const ended = await endCall(deps, tx, call, answer)
    if (call.faults > 0) await noteAnswer(tx, call.connectionId)
    return ended
  })
  return { outcome: state ?? 'skipped' }
}

interface Note {
  readonly nextAt: Date
  readonly state?: 'accepted'
  readonly providerOrderNo?: string
  readonly absentSince?: Date | string | null
  readonly reason?: string
  /** The request was certainly not sent. */
  readonly unsent?: boolean
  /** The call is in doubt from now on. */
  readonly doubt?: boolean
}

/** Records what is known of a call that has not ended. */
async function note(deps: SupplyDeps, call: OpenCall, known: Note, outcome: StepOutcome): Promise<Step> {
  await deps.db.write(async (tx) => {
    await setKnown(deps, tx, call, known)
    if (call.faults > 0) await noteAnswer(tx, call.connectionId)
  })
  return { outcome: known.doubt ? 'in_doubt' : outcome }
}

/** As {@link note}, after a fault, which counts against the connection unless the supplier only asked for a pause. */
async function noteFailed(
  deps: SupplyDeps,
  call: OpenCall,
  fault: SupplierFault,
  known: Note,
): Promise<Step> {
  const { retryAfterMs } = fault
  await deps.db.write(async (tx) => {
    await setKnown(deps, tx, call, known)
    if (retryAfterMs === undefined) await noteFault(tx, deps.clock.now(), call.connectionId, fault.message)
  })
  return { outcome: known.doubt ? 'in_doubt' : 'fault', retryAfterMs }
}

async function setKnown(deps: SupplyDeps, tx: Tx, call: OpenCall, known: Note): Promise<void> {
  const { nextAt, providerOrderNo, absentSince, reason, unsent, doubt } = known
  const state = unsent ? 'intended' : doubt ? 'in_doubt' : known.state
  const [changed] = await updateCall(tx, {
    id: call.id,
    attempts: call.attempts,
    // Leaves the row as it is when its state has changed meanwhile, as by the operator's decision.
    before: call.state,
    nextAt,
    now: deps.clock.now(),
    ...(state && { state }),
    ...(providerOrderNo && { providerOrderNo }),
    ...(absentSince !== undefined && { absentSince }),
    ...(reason !== undefined && { reason }),
    ...(unsent && { sentAt: null }),
  })
  if (!changed) return
  if (doubt) noteDoubt(tx, call)
  else if (ageOf(deps, call.createdAt) >= YOUNG_MS) {
    noteDelay(tx, call)
    const isSlow = (state ?? call.state) === 'accepted' && ageOf(deps, call.sentAt) >= YOUNG_MS
    if (isSlow) noteSlowness(tx, call)
  }
}

interface KnownOfCall {
  readonly id: number
  readonly attempts: number
  readonly before: OpenCall['state']
  readonly now: Date
  readonly nextAt: Date
  readonly state?: OpenCall['state']
  readonly providerOrderNo?: string
  readonly absentSince?: Date | string | null
  readonly reason?: string
  readonly sentAt?: null
}

const updateCall = compiledForGiven<KnownOfCall>()((db, known) => {
  const { id, attempts, before, now, nextAt, state, providerOrderNo, absentSince, reason, sentAt } = known
  return db
    .updateTable('supplierCalls')
    .set({
      nextAt,
      updatedAt: now,
      ...(state && { state }),
      ...(providerOrderNo && { providerOrderNo }),
      ...(absentSince && { absentSince }),
      ...(reason && { reason }),
      ...(sentAt && { sentAt }),
    })
    .where('id', '=', id)
    .where('state', '=', before)
    .where('attempts', '=', attempts)
    .returning('id')
})

/** Tells the operator, who has to decide, and the customer, whose order takes longer. */
function noteDoubt(tx: Tx, call: OpenCall): void {
  const { connection, callNo, kind, orderNo, count, expectedCost } = call
  const data = { connection, callNo, kind, orderNo, count, expectedCost }
  happened(tx, { kind: 'supplier_in_doubt', subject: callNo, data })
  noteDelay(tx, call)
}

/** Tells the operator, once for each call, that the supplier takes too long to end it. */
function noteSlowness(tx: Tx, call: OpenCall): void {
  const { connection, callNo, kind, orderNo, count, sentAt, createdAt } = call
  const data = { connection, callNo, kind, orderNo, count, since: sentAt ?? createdAt }
  happened(tx, { kind: 'supplier_slow', subject: callNo, data })
}

function noteDelay(tx: Tx, call: OpenCall): void {
  const { orderNo, userId, callerId, count: ordered } = call
  if (isPurchase(call)) happened(tx, { kind: 'order.delayed', orderNo, userId, callerId, ordered })
}
