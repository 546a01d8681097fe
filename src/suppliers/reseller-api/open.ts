import { type Found, type OpenRequest, type Placed, SupplierFault } from '../../core/supply/driver.ts'
import { ceilingNumber, decimal } from './decimal.ts'
import { orderByCall, orderByNumber } from './orders.ts'
import type { UpstreamOrder } from './records.ts'
import { refusedWith } from './refusals.ts'
import type { Session } from './session.ts'
import { durationOf } from './duration.ts'

const CREATE = '/open/app/static/order/create-standard/v2'

/** Places an order under the number of the call, also in the remark, for services that ignore application order numbers. */
export async function placeOpen(
  session: Session,
  request: OpenRequest,
  signal: AbortSignal,
): Promise<Placed> {
  const { callNo, data, projectId, cidrBlocks, via = [] } = request
  const totalAmount = ceilingNumber(request.ceiling)
  // 0 would mean no ceiling.
  if (totalAmount <= 0) return { status: 'refused', reason: 'price_changed', message: 'The ceiling is 0' }
  const duration = durationOf(request)
  if (!duration || !data['productNo'])
    return { status: 'refused', reason: 'not_supported', message: 'The offer or the term cannot be ordered' }
  const body = {
    orderType: 'static_proxy',
    poolId: data['productNo'],
    userId: await session.userId(signal),
    unitPrice: 0,
    totalAmount,
    ipCount: request.count,
    ...duration,
    ...(data['countryCode'] && { countryCode: data['countryCode'] }),
    ...(data['cityCode'] && { cityCode: data['cityCode'] }),
    ...(data['regionCode'] && { regionCode: data['regionCode'] }),
    ...(cidrBlocks.length > 0 && { cidrBlocks }),
    ...(projectId !== null && { projectId }),
    appOrderNo: callNo,
    remark: callNo,
  }
  const order = { method: 'POST', path: CREATE, body, idempotencyKey: callNo, via } as const
  const answer = await session.call(order, signal)
  if ('refusal' in answer) return refusedWith(answer.refusal)
  const { orderNo, order_no } = (answer.data ?? {}) as Record<string, unknown>
  const providerOrderNo = [orderNo, order_no].find((one) => typeof one === 'string' && one !== '')
  return {
    status: 'accepted',
    ...(typeof providerOrderNo === 'string' && { providerOrderNo }),
  }
}

/**
 * Finds what became of an order.
 *
 * @param providerOrderNo where it is known, the order is never absent: the service has accepted it
 */
export async function findOpen(
  session: Session,
  { callNo }: OpenRequest,
  providerOrderNo: string | null,
  signal: AbortSignal,
): Promise<Found> {
  const order =
    providerOrderNo === null
      ? await orderByCall(session, callNo, signal)
      : await orderByNumber(session, providerOrderNo, signal)
  if (order) return outcomeOf(order)
  if (providerOrderNo !== null)
    throw new SupplierFault('unknown', `The supplier does not show its order ${providerOrderNo} any more`)
  return { status: 'absent' }
}

function outcomeOf({ orderNo, state, paid, failReason, instances }: UpstreamOrder): Found {
  if (state === 'open') return { status: 'open', providerOrderNo: orderNo }
  return {
    status: 'ended',
    providerOrderNo: orderNo,
    ...(paid !== undefined && { amount: decimal(paid) }),
    instances: state === 'failed' ? [] : instances,
    ...(failReason !== undefined && { reason: failReason }),
  }
}
