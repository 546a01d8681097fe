import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { ErrorCode } from '../errors.ts'
import { recordEvents } from './record-events.ts'

/** Writes the event of a renewal that was paid or has ended, as it stands in the open transaction. */
export function recordRenewalEvent(
  tx: Tx,
  now: Date,
  renewal: {
    readonly renewOrderNo: string
    readonly orderNo: string
    readonly status: 'processing' | 'success' | 'failed'
    /** Whose order it is. */
    readonly userId: number
  },
): Promise<void> {
  const { renewOrderNo, orderNo, status, userId } = renewal
  const facts = async () => {
    const [found] = await renewalOf(tx, { renewOrderNo })
    if (!found) throw new Error(`there is no renewal ${renewOrderNo}`)
    const { failed, ...row } = found
    return { ...row, renewed: row.status === 'success' ? row.proxies - failed : 0 }
  }
  return recordEvents(tx, now, [{ type: `renewal.${status}`, accountId: userId, subject: orderNo, facts }])
}

const renewalOf = compiled<{ renewOrderNo: string }>()((db, { renewOrderNo }) =>
  db
    .selectFrom('renewals as r')
    .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
    .innerJoin('renewedInstances as n', 'n.renewalId', 'r.id')
    .select(['r.renewOrderNo', 'r.appOrderNo', 'o.orderNo', 'r.status', 'r.automatic', 'r.amount'])
    .select(({ fn }) => [
      'r.refundedAmount as refunded',
      'r.failReason as reason',
      fn.countAll<number>().as('proxies'),
      fn.countAll<number>().filterWhere('n.failed', '=', true).as('failed'),
    ])
    .where('r.renewOrderNo', '=', renewOrderNo)
    .groupBy(['r.id', 'o.orderNo']),
)

/** Writes that an automatic renewal was refused before it began: once for each expiry, however often it is tried. */
export function recordRefusedRenewal(
  tx: Tx,
  now: Date,
  {
    orderNo,
    userId,
    proxies,
    reason,
    expireTime,
  }: {
    readonly orderNo: string
    readonly userId: number
    readonly proxies: number
    readonly reason: ErrorCode
    readonly expireTime: string
  },
): Promise<void> {
  return recordEvents(tx, now, [
    {
      type: 'renewal.failed',
      accountId: userId,
      subject: orderNo,
      key: `renewal refused ${orderNo} ${expireTime}`,
      facts: () => ({
        renewOrderNo: null,
        appOrderNo: null,
        orderNo,
        status: 'failed',
        automatic: true,
        proxies,
        renewed: 0,
        amount: 0,
        refunded: 0,
        reason,
      }),
    },
  ])
}
