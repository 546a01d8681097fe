import { ReplacementStatus } from '../../generated/prisma/client.ts'
import type { Micros } from '../money.ts'
import { compiled } from '../database/compiled.ts'
import type { Queryable } from '../database/queries.ts'
import type { ReplacementGround } from './replacement-terms.ts'

export const REPLACEMENT_STATUSES = Object.values(ReplacementStatus)

/** An exchange of a proxy for another one, or the wish for it. */
export interface Replacement {
  readonly replacementNo: string
  readonly instanceNo: string
  readonly orderNo: string
  readonly status: ReplacementStatus
  readonly ground: ReplacementGround
  /** Reason given by the customer, or by the operator who replaced it unasked. */
  readonly reason: string
  readonly oldIp: string
  readonly oldPort: number
  readonly newIp: string | null
  readonly newPort: number | null
  /** What was given back where there was no equal proxy. */
  readonly refundAmount: Micros
  /** Note of the operator, which the customer is shown. */
  readonly note: string
  readonly createdAt: string
  readonly endedAt: string | null
}

/** Query of {@link Replacement}s: `replacements` as `r`, `instances` as `i`, `staticOrders` as `o`. */
export function selectReplacements(db: Queryable['$kysely']) {
  return db
    .selectFrom('replacements as r')
    .innerJoin('instances as i', 'i.id', 'r.instanceId')
    .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
    .select(['r.replacementNo', 'i.instanceNo', 'o.orderNo', 'r.status', 'r.ground', 'r.reason'])
    .select(['r.oldIp', 'r.oldPort', 'r.newIp', 'r.newPort', 'r.refundAmount', 'r.note'])
    .select(['r.createdAt', 'r.endedAt'])
    .$narrowType<{ ground: ReplacementGround }>()
}

/** Finds a replacement that is being carried out. */
export const findProcessing = compiled<{ replacementNo: string }>()((db, { replacementNo }) =>
  db
    .selectFrom('replacements')
    .select(['id', 'instanceId', 'orderId', 'callerId', 'note', 'refundAccepted'])
    .where('replacementNo', '=', replacementNo)
    .where('status', '=', 'processing'),
)

/** Notes that another proxy is being bought or checked, and whether a refund is accepted, which the operator may have decided. */
export const setProcessing = compiled<{ id: number; refundAccepted: boolean }>()(
  (db, { id, refundAccepted }) =>
    db
      .updateTable('replacements')
      .set({ status: 'processing', refundAccepted })
      .where('id', '=', id)
      .where('status', '=', 'requested'),
)
