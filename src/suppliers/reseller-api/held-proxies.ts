import { SupplierFault, type SupplierInstance } from '../../core/supply/driver.ts'
import { orderByNumber, orderOfInstance } from './orders.ts'
import { type Session, withKind } from './session.ts'

interface ProxiesRequest {
  readonly providerOrderNo: string | null
  readonly instances: readonly { readonly providerInstanceNo: string }[]
}

/** Proxies that a request is about, as the supplier shows them now. */
export interface HeldProxies {
  readonly orderNo: string
  readonly instances: readonly SupplierInstance[]
}

/** Returns the order of a request and those of its proxies that the supplier knows; undefined when it does not know the order. */
export async function heldProxies(
  session: Session,
  { providerOrderNo, instances }: ProxiesRequest,
  signal: AbortSignal,
): Promise<HeldProxies | undefined> {
  const numbers = new Set(instances.map(({ providerInstanceNo }) => providerInstanceNo))
  const [first] = numbers
  if (first === undefined) return undefined
  const order =
    providerOrderNo === null
      ? await orderOfInstance(session, first, signal)
      : await orderByNumber(session, providerOrderNo, signal)
  return (
    order && {
      orderNo: order.orderNo,
      instances: order.instances.filter(({ providerInstanceNo }) => numbers.has(providerInstanceNo)),
    }
  )
}

/** Does the same as {@link heldProxies}, before something is sent: a fault here means that nothing was. */
export async function heldBefore(
  session: Session,
  request: ProxiesRequest,
  signal: AbortSignal,
): Promise<HeldProxies | undefined> {
  try {
    return await heldProxies(session, request, signal)
  } catch (error) {
    if (error instanceof SupplierFault && error.kind === 'unknown') throw withKind('not_sent', error)
    throw error
  }
}

export const ORDER_UNKNOWN = {
  status: 'refused',
  reason: 'other',
  message: 'The supplier does not know the order of these proxies',
} as const
