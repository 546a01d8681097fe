import { z } from 'zod'
import { ReplacementStatus } from '../../generated/prisma/enums.ts'
import { compiled } from '../database/compiled.ts'
import type { Queryable } from '../database/queries.ts'
import { type Held, Money, record, Time } from '../record.ts'
import { REPLACEMENT_GROUNDS, type ReplacementGround } from './replacement-terms.ts'

export const REPLACEMENT_STATUSES = Object.values(ReplacementStatus)

const AddressRecord = record({ ip: z.string(), port: z.int() })
/** Fields shown of an exchange of a proxy for another one, or of the wish for it (rules 5.22). */
export const REPLACEMENT = {
  replacementNo: z.string().meta({ description: 'Number of the replacement' }),
  orderNo: z.string(),
  instanceNo: z.string(),
  status: z.enum(REPLACEMENT_STATUSES).meta({
    description:
      '`requested`: the shop decides; `processing`: the other proxy is being bought; `refunded`: there was no equal one',
  }),
  ground: z.enum(REPLACEMENT_GROUNDS).meta({
    description:
      '`dead`: our tests say so; `young`: delivered within 24 hours; `none`: neither, so that the shop decides',
  }),
  reason: z.string().meta({ description: 'As it was sent' }),
  old: AddressRecord.meta({ description: 'Address before' }),
  new: AddressRecord.nullable().meta({ description: 'Address since; null while there is none' }),
  refundAmount: Money.meta({ description: 'What came back for the rest of the term' }),
  note: z.string().meta({ description: 'Of the shop' }),
  createdAt: Time,
  endedAt: Time.nullable().meta({ description: 'When it was done, refunded or declined' }),
}

export interface Replacement extends Omit<Held<typeof REPLACEMENT>, 'old' | 'new'> {
  readonly oldIp: string
  readonly oldPort: number
  readonly newIp: string | null
  readonly newPort: number | null
}

/** Adds the addresses of a replacement as they are shown. */
export function withAddresses<Of extends Replacement>(replacement: Of) {
  const { oldIp, oldPort, newIp, newPort } = replacement
  return {
    ...replacement,
    old: { ip: oldIp, port: oldPort },
    new: newIp === null || newPort === null ? null : { ip: newIp, port: newPort },
  }
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
