import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { Micros } from '../money.ts'
import { REFUND_HOURS } from '../catalog/refund-hours.ts'
import { bookEarningEntry } from '../ledger/book-earning-entry.ts'
import type { Essentials } from '../jobs/essentials.ts'

const HOUR_MS = 60 * 60_000
/** Maximum number of earnings of one transaction. */
const BATCH = 200
/** Time in ms after which an earning is looked at again while its order or renewal is processing. */
const AGAIN_MS = 10 * 60_000

interface PendingEarning {
  readonly id: number
  readonly source: string
  readonly agentId: number
  readonly amount: Micros
  readonly reversed: Micros
  readonly payable: Micros
}

/**
 * Sweep of the job loop: makes earnings available whose order can no longer be refunded by a release (rules 13.3): it is delivered,
 * and its refund window, by the present terms, is over. The others are looked at again when it is.
 */
export async function matureEarnings({ db, clock }: Pick<Essentials, 'db' | 'clock'>): Promise<void> {
  for (;;) {
    const now = clock.now()
    const due = await dueEarnings(db.read, { now: now.toISOString() })
    if (due.length === 0) return
    await db.write(async (tx) => {
      for (const { id } of due) {
        const [earning] = await readEarning(tx, { id })
        if (!earning) continue
        const { createdAt, refundHours, orderStatus, renewalStatus } = earning
        const until = createdAt ? new Date(createdAt).getTime() + (refundHours ?? 0) * HOUR_MS : 0
        const waits = orderStatus === 'processing' || renewalStatus === 'processing'
        const again = Math.max(waits ? now.getTime() + AGAIN_MS : 0, until >= now.getTime() ? until + 1 : 0)
        const maturesAt = new Date(again)
        if (again > 0)
          await tx.$kysely.updateTable('earnings').set({ maturesAt }).where('id', '=', id).execute()
        else await matureEarning(tx, now, earning)
      }
    })
    if (due.length < BATCH) return
  }
}

/** Makes what is left of an earning available. */
export async function matureEarning(
  tx: Tx,
  now: Date,
  { id, source, agentId, amount, reversed, payable }: PendingEarning,
): Promise<void> {
  const pending = tx.$kysely.updateTable('earnings').where('id', '=', id).where('state', '=', 'pending')
  await pending.set({ state: 'matured' }).execute()
  const left = amount - reversed
  const change = { pending: -left, spendable: left, payable }
  const entry = { agentId, earningId: id, source: `matured:${source}`, ...change }
  if (left > 0 && !(await bookEarningEntry(tx, now, { ...entry, kind: 'matured' })))
    throw new Error(`the earning of ${source} is not pending`)
}

const dueEarnings = compiled<{ now: string }>()((db, { now }) =>
  db
    .selectFrom('earnings')
    .select('id')
    .where('state', '=', 'pending')
    .where('maturesAt', '<=', now)
    .orderBy('maturesAt')
    .limit(BATCH),
)

/** Reads a pending earning, with what decides whether it is final. */
const readEarning = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('earnings as e')
    .leftJoin('staticOrders as o', 'o.orderNo', 'e.orderNo')
    .leftJoin('products as p', 'p.id', 'o.productId')
    .leftJoin('supplierConnections as c', 'c.name', 'p.supplier')
    .leftJoin('renewals as r', (on) =>
      on.on(({ eb, val, ref }) => eb('e.source', '=', eb(val('renewal:'), '||', ref('r.renewOrderNo')))),
    )
    .select(['e.id', 'e.source', 'e.agentId', 'e.amount', 'e.reversed', 'e.payable'])
    .select(['o.createdAt', 'o.status as orderStatus', 'r.status as renewalStatus'])
    .select(REFUND_HOURS.as('refundHours'))
    .where('e.id', '=', id)
    .where('e.state', '=', 'pending'),
)
