import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { intendCall } from './intend-call.ts'
import { usableConnection } from './connection-that.ts'

interface ReleasedProxies {
  readonly orderId: number
  readonly connectionId: number
  readonly cancelNo: string
  /** The supplier's numbers of proxies that run. */
  readonly providerInstanceNos: readonly string[]
}

/**
 * Asks the supplier of an order to end proxies, in the transaction that releases them. A supplier that takes nothing back is not
 * asked: it lets them run to their end.
 */
export async function requestRelease(
  deps: CoreDeps,
  tx: Tx,
  now: Date,
  { orderId, connectionId, cancelNo, providerInstanceNos }: ReleasedProxies,
): Promise<void> {
  // While the connection cannot be used, the request is kept for later.
  const connection = await usableConnection(deps, connectionId)
  if (connection && !connection.driver.capabilities.releases) return
  const [order] = await readOrder(tx, { orderId })
  await intendCall(tx, now, {
    callNo: cancelNo,
    connectionId,
    kind: 'release',
    subject: cancelNo,
    orderId,
    count: providerInstanceNos.length,
    expectedCost: 0,
    request: {
      kind: 'release',
      providerOrderNo: order?.providerOrderNo ?? null,
      instances: providerInstanceNos.map((providerInstanceNo) => ({ providerInstanceNo })),
    },
  })
}

const readOrder = compiled<{ orderId: number }>()((db, { orderId }) =>
  db.selectFrom('staticOrders').select('providerOrderNo').where('id', '=', orderId),
)
