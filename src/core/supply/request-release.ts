import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { usableConnection } from './capable-connection.ts'
import { intendCall } from './intend-call.ts'
import type { SupplyDeps } from './deps.ts'

interface ReleasedProxies {
  readonly orderId: number
  readonly connectionId: number
  /** Number of the cancellation, or a {@link releaseNumber}; the numbers of the calls are derived from it. */
  readonly number: string
  readonly proxies: readonly {
    readonly providerInstanceNo: string
    /** The supplier's number of the order by which this proxy was bought; null: the one stored with our order. */
    readonly providerOrderNo: string | null
  }[]
}

/** Returns the number of the call that releases proxies left over by an order or a replacement. */
export function releaseNumber(subject: string): string {
  return `${subject}R`
}

/**
 * Asks the supplier of an order to end proxies that nobody uses any more, in the transaction that releases them, in one call for
 * each of the supplier's orders. A supplier that takes nothing back is not asked: it lets them run to their end.
 */
export async function requestRelease(
  deps: SupplyDeps,
  tx: Tx,
  { orderId, connectionId, number, proxies }: ReleasedProxies,
): Promise<void> {
  // While the connection cannot be used, the request is kept for later.
  const connection = await usableConnection(deps, connectionId)
  if (connection && !connection.driver.capabilities.releases) return
  const [order] = await readOrder(tx, { orderId })
  const numberOf = (proxy: (typeof proxies)[number]) =>
    proxy.providerOrderNo ?? order?.providerOrderNo ?? null
  const numbers = [...new Set(proxies.map(numberOf))]
  for (const [index, providerOrderNo] of numbers.entries()) {
    const released = proxies.filter((proxy) => numberOf(proxy) === providerOrderNo)
    const callNo = index === 0 ? number : `${number}-${index + 1}`
    await intendCall(tx, deps.clock.now(), {
      callNo,
      connectionId,
      kind: 'release',
      subject: callNo,
      orderId,
      count: released.length,
      expectedCost: 0,
      request: {
        kind: 'release',
        providerOrderNo,
        instances: released.map(({ providerInstanceNo }) => ({ providerInstanceNo })),
      },
    })
  }
}

const readOrder = compiled<{ orderId: number }>()((db, { orderId }) =>
  db.selectFrom('staticOrders').select('providerOrderNo').where('id', '=', orderId),
)
