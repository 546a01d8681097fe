import { compiled } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { madeOf, type Makes, nameOfTransfer } from '../facts/facts.ts'
import type { Hearer } from '../facts/happened.ts'
import { type Refreshed, followedText } from '../chats/followed.ts'

/** A change of what live screens show. */
interface Change {
  readonly of: Refreshed
  /** Each state is shown once. */
  readonly state: string
  /** How long it may wait for other changes, in milliseconds; without it, not at all. */
  readonly afterMs?: number
}

/** Least interval in ms at which screens of work under way are drawn anew. */
const UNDER_WAY_MS = 2_000

/** Changes of live screens, by kind of fact. */
const CHANGES: Makes<Change | readonly Change[]> = {
  'balance.adjusted': ({ userId, amount, number }) => (amount > 0 ? ofBalance(userId, number) : []),
  'order.completed': ({ orderNo }) => ofOrder(orderNo),
  'renewal.ended': ({ orderNo, userId }) => [
    ofOrder(orderNo),
    { of: { kind: 'renewals', accountId: userId }, state: 'ended', afterMs: UNDER_WAY_MS },
  ],
  'test.progressed': ({ orderId, userId, isOver, areAllOver }) => [
    ofTest({ kind: 'test', orderId }, isOver),
    ofTest({ kind: 'tests', userId }, areAllOver),
  ],
  'top_up.confirming': ({ orderNo }) => ofTopUp(orderNo, 'confirming'),
  'top_up.unconfirmed': ({ orderNo }) => ofTopUp(orderNo, 'pending'),
  'top_up.paid': ({ orderNo, userId, ...transfer }) => [
    ofTopUp(orderNo, 'paid'),
    ofBalance(userId, nameOfTransfer(transfer)),
  ],
  'top_up.cancelled': ({ orderNo }) => ofTopUp(orderNo, 'cancelled'),
  'top_up.expired': ({ orderNo }) => ofTopUp(orderNo, 'expired'),
  'top_up.given_up': ({ orderNo }) => ofTopUp(orderNo, 'grace ended'),
  'transfer.unmatched': ({ near, ...transfer }) =>
    near.map((no) => ofTopUp(no, `near ${nameOfTransfer(transfer)}`)),
  'transfer.claimed': ({ orderNo, ...transfer }) => ofTopUp(orderNo, `claimed ${nameOfTransfer(transfer)}`),
  'transfer.resolved': ({ claims, state, ...transfer }) =>
    claims.map((orderNo) => ofTopUp(orderNo, `${state} ${nameOfTransfer(transfer)}`)),
}

function ofTest(of: Refreshed, isOver: boolean): Change {
  return { of, ...(isOver ? { state: 'over' } : { state: 'under way', afterMs: UNDER_WAY_MS }) }
}

function ofTopUp(orderNo: string, state: string): Change {
  return { of: { kind: 'top_up', orderNo }, state }
}

function ofBalance(accountId: number, state: string): Change {
  return { of: { kind: 'balance', accountId }, state }
}

function ofOrder(orderNo: string): Change {
  return { of: { kind: 'order', orderNo }, state: 'ended' }
}

/** Enqueues the refresh of the live screens that show what has changed. */
export function screensOfFacts({ jobs }: Pick<Essentials, 'jobs'>): Hearer {
  return (tx) => ({
    write: async (facts) => {
      const changes = facts
        .flatMap((fact) => madeOf(CHANGES, fact) ?? [])
        .map(({ of, ...change }) => ({ follows: followedText(of), ...change }))
      if (changes.length === 0) return
      const followed = await findFollowed(tx, { follows: changes.map(({ follows }) => follows) })
      const shown = new Set(followed.map(({ follows }) => follows))
      for (const { follows, state, afterMs } of changes)
        if (shown.has(follows)) await jobs.enqueue(tx, 'refresh_screens', { follows, state }, afterMs)
    },
  })
}

const findFollowed = compiled<{ follows: readonly string[] }>()((db, { follows }) =>
  db.selectFrom('chats').select('follows').distinct().where('follows', 'in', listOf(follows)),
)
