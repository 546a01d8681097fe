import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { FactOf } from '../facts/facts.ts'
import type { NewEvent } from './record-events.ts'

/** Makes the event of a renewal that was paid or has ended, with the renewal as it stands at the end of the transaction. */
export function renewalEvent({
  renewOrderNo,
  orderNo,
  status,
  userId,
}: FactOf<'renewal.begun' | 'renewal.ended'>): NewEvent {
  const facts = async (tx: Tx) => {
    const [found] = await renewalOf(tx, { renewOrderNo })
    if (!found) throw new Error(`there is no renewal ${renewOrderNo}`)
    const { failed, ...row } = found
    return { ...row, renewed: row.status === 'success' ? row.proxies - failed : 0 }
  }
  return { type: `renewal.${status}`, accountId: userId, subject: orderNo, facts }
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

/** Makes the event of an automatic renewal that was refused before it began: told once for each expiry, however often it is tried. */
export function refusedRenewalEvent(refused: FactOf<'renewal.refused'>): NewEvent {
  const { orderNo, userId, count, reason, expireTime } = refused
  return {
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
      proxies: count,
      renewed: 0,
      amount: 0,
      refunded: 0,
      reason,
    }),
  }
}
