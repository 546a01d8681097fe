import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { inSupplierCurrency, lessMargin } from './supplier-amount.ts'
import { capableConnection, type Supplied } from './capable-connection.ts'
import { intendCall } from './intend-call.ts'
import type { SupplyDeps } from './deps.ts'

interface RenewedProxies extends Supplied {
  readonly orderId: number
  readonly renewOrderNo: string
  /** What the shop gets for the renewal. */
  readonly shopAmount: Micros
  readonly periods: number
  readonly periodUnit: number
  readonly periodLength: number
  readonly proxies: readonly {
    readonly providerInstanceNo: string
    readonly supplierExpireTime: string | null
    /** The supplier's order number, the same for all proxies; null: the one stored with our order. */
    readonly providerOrderNo: string | null
  }[]
}

/**
 * Asks the supplier of an order to prolong proxies, in the transaction that charges for it. The supplier may charge at most what the
 * shop gets, less the minimum margin of the product.
 *
 * @throws invalid_state when the supplier renews nothing, supplier_error while the connection cannot be used or its account does not
 *   cover the cost
 */
export async function requestRenewal(
  deps: SupplyDeps,
  tx: Tx,
  now: Date,
  renewal: RenewedProxies,
): Promise<void> {
  const { orderId, renewOrderNo, shopAmount, periods, periodUnit, periodLength, proxies } = renewal
  const { id: connectionId, rate } = await capableConnection(deps, 'renews', renewal)
  const [terms] = await readTerms(tx, { orderId })
  const { cost = null, minMarginBps = 0 } = terms ?? {}
  const providerOrderNo = proxies[0]?.providerOrderNo ?? terms?.providerOrderNo ?? null
  const expectedCost = (cost ?? 0) * periods * proxies.length
  const [account] = await readAccount(tx, { connectionId })
  if (account && account.balance !== null && account.balance < expectedCost)
    throw new ServiceError('supplier_error')
  await intendCall(tx, now, {
    callNo: renewOrderNo,
    connectionId,
    kind: 'renew',
    subject: renewOrderNo,
    orderId,
    count: proxies.length,
    expectedCost,
    request: {
      kind: 'renew',
      providerOrderNo,
      instances: proxies.map(({ providerInstanceNo, supplierExpireTime }) => ({
        providerInstanceNo,
        expireTime: supplierExpireTime,
      })),
      periods,
      periodUnit: periodUnit === 1 ? 1 : 3,
      periodLength,
      ceiling: inSupplierCurrency(lessMargin(shopAmount, minMarginBps), rate),
    },
  })
}

const readAccount = compiled<{ connectionId: number }>()((db, { connectionId }) =>
  db.selectFrom('supplierConnections').select('balance').where('id', '=', connectionId),
)

const readTerms = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .selectFrom('staticOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .leftJoin('locations as l', 'l.id', 'o.locationId')
    .leftJoin('supplierOffers as f', 'f.id', 'l.offerId')
    .select(['o.providerOrderNo', 'f.cost', 'p.minMarginBps'])
    .where('o.id', '=', orderId),
)
