import type { StockSelection } from '../catalog/stock.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { type Micros, times } from '../money.ts'
import type { Delivery, NewSupplyOrder, SuppliedProxy, Supplier, SupplyOrder } from './supplier.ts'
import type { SupplierInstance } from './driver.ts'
import { claimOffer, intendCall } from './intend-call.ts'
import { type CallOutcome, readOutcome } from './outcome.ts'
import { inSupplierCurrency, lessMargin } from './supplier-amount.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Pause in ms before a fallback retry: the end of the call itself enqueues the hand-over. */
const WAIT_MS = 60_000

/**
 * Returns the supplier of all products that name a connection (rules 11.11): the acceptance writes a call, which the lane of the
 * connection carries out; the delivery reads its outcome.
 */
export function suppliedByConnections(depsOf: () => Essentials): Supplier {
  return {
    // Pricing has chosen an offer that can be sold, or refused.
    check: () => Promise.resolve(),
    reserve: (tx, order, selection) => reserve(depsOf(), tx, order, selection),
    deliver: async (order): Promise<Delivery> => {
      const outcome = await readOutcome(depsOf().db.read, order.orderNo)
      if (!outcome) return { status: 'pending', retryAfterMs: WAIT_MS }
      const [place] = await findPlaceOfOrder(depsOf().db.read, { orderId: order.orderId })
      return deliveryOf(order, outcome, place ?? { countryCode: '', state: '', cityCode: '' })
    },
    // Stock and balance of the mirror are read anew after a refusal.
    freeUndelivered: () => Promise.resolve(),
    // A release is a call of its own, and expired proxies end by themselves.
    takeBack: () => Promise.resolve(),
  }
}

/** @throws out_of_stock when the offer has fewer, or the account at the supplier does not cover the cost */
async function reserve(
  deps: Essentials,
  tx: Tx,
  order: NewSupplyOrder,
  selection: StockSelection,
): Promise<void> {
  const { offer, orderId, orderNo, ipCount, periods, shopAmount, projectId, via } = order
  const [account] = offer ? await accountAt(tx, { connectionId: offer.connectionId }) : []
  const expectedCost = offer && times(offer.cost, ipCount, periods)
  const soldOut = () => new ServiceError('out_of_stock', { data: { requested: ipCount, available: 0 } })
  if (!offer || !account || expectedCost === undefined || expectedCost === null) throw soldOut()
  if (!(await claimOffer(tx, { offerId: offer.offerId, count: ipCount }))) throw soldOut()
  const { offerNo, data, periodUnit, periodLength, proxyType, countryCode, cityCode, minMarginBps } = offer
  await intendCall(tx, deps.clock.now(), {
    callNo: orderNo,
    connectionId: offer.connectionId,
    kind: 'open',
    subject: orderNo,
    orderId,
    request: {
      kind: 'open',
      offerNo,
      data,
      periods,
      periodUnit,
      periodLength,
      proxyType,
      countryCode,
      cityCode,
      projectId,
      count: ipCount,
      cidrBlocks: selection.cidrBlocks ?? [],
      ...(via.length > 0 && { via }),
      ceiling: inSupplierCurrency(lessMargin(shopAmount, minMarginBps), account.rate),
    },
    count: ipCount,
    expectedCost,
  })
}

const accountAt = compiled<{ connectionId: number }>()((db, { connectionId }) =>
  db.selectFrom('supplierConnections').select('rate').where('id', '=', connectionId),
)

interface Place {
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
}

const findPlaceOfOrder = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .selectFrom('staticOrders as o')
    .innerJoin('locations as l', 'l.id', 'o.locationId')
    .select(['l.countryCode', 'l.state', 'l.cityCode'])
    .where('o.id', '=', orderId),
)

function deliveryOf({ ipCount }: SupplyOrder, outcome: CallOutcome, place: Place): Delivery {
  const { callNo, cost, instances, providerOrderNo } = outcome
  const missing = ipCount - instances.length
  const costs = sharesOf(cost ?? 0, instances.length)
  return {
    status: 'delivered',
    proxies: instances.map((instance, index) => proxyOf(instance, place, costs[index] ?? 0)),
    ...(providerOrderNo !== null && { providerOrderNo }),
    // The supplier's own words are for the operator.
    ...(missing > 0 && { reason: `${missing} proxies could not be delivered` }),
    call: { callNo, cost: cost ?? 0 },
  }
}

/** Splits an amount into whole parts that differ by at most 1 and sum to it. */
export function sharesOf(amount: Micros, parts: number): Micros[] {
  const least = Math.floor(amount / parts)
  return Array.from({ length: parts }, (_, index) => least + (index < amount - least * parts ? 1 : 0))
}

/** Returns the proxy as it is handed over: in the place that was bought, with the supplier's city where that place names none. */
function proxyOf(instance: SupplierInstance, place: Place, cost: Micros): SuppliedProxy {
  const { providerInstanceNo, ip, port, username, password, cidr = '', cityCode = '' } = instance
  const expireTime = new Date(instance.expireTime ?? Number.NaN)
  const isInPlace = place.cityCode === '' && new RegExp(`^${place.countryCode}[A-Z0-9]{3}$`).test(cityCode)
  return {
    providerInstanceNo,
    ip,
    port,
    username,
    password,
    cidr,
    cost,
    countryCode: place.countryCode,
    state: place.state || (instance.state ?? ''),
    cityCode: isInPlace ? cityCode : place.cityCode,
    ...(!Number.isNaN(expireTime.getTime()) && { supplierExpireTime: expireTime.toISOString() }),
  }
}
