import { z } from 'zod'
import {
  type Ended,
  type Found,
  type Placed,
  type ReleaseRequest,
  SupplierFault,
  type SupplierInstance,
} from '../../core/supply/driver.ts'
import { decimal, micros } from './decimal.ts'
import { heldBefore, heldProxies, ORDER_UNKNOWN } from './held-proxies.ts'
import { refusedWith } from './refusals.ts'
import type { Session } from './session.ts'

const Cancellation = z.object({ refund_amount: z.number().nullish() })

/** Releases proxies, unless they are released already; the amount is the refund. */
export async function placeRelease(
  session: Session,
  request: ReleaseRequest,
  signal: AbortSignal,
): Promise<Placed> {
  const { callNo } = request
  const held = await heldBefore(session, request, signal)
  if (!held) return ORDER_UNKNOWN
  const released = held.instances.filter(isReleased)
  if (released.length === request.instances.length) return ended(released)

  const path = `/open/app/static/order/${encodeURIComponent(held.orderNo)}/cancel`
  const instances = request.instances.map(({ providerInstanceNo }) => providerInstanceNo)
  const body = { instances, reason: callNo }
  const answer = await session.call({ method: 'POST', path, body, idempotencyKey: callNo }, signal)
  if ('refusal' in answer) return refusedWith(answer.refusal)
  const cancellation = Cancellation.safeParse(answer.data)
  if (!cancellation.success) throw new SupplierFault('unknown', 'The answer of the release cannot be read')
  const { refund_amount } = cancellation.data
  return {
    ...ended(held.instances.map((instance) => ({ ...instance, status: 'released' }))),
    ...(typeof refund_amount === 'number' && { amount: decimal(micros(refund_amount)) }),
  }
}

/** Finds what became of a release, by the state of the proxies and without the amount. */
export async function findRelease(
  session: Session,
  request: ReleaseRequest,
  signal: AbortSignal,
): Promise<Found> {
  const held = await heldProxies(session, request, signal)
  const released = (held?.instances ?? []).filter(isReleased)
  // To release the rest again does no harm.
  return released.length === request.instances.length ? ended(released) : { status: 'absent' }
}

function isReleased({ status }: SupplierInstance): boolean {
  return status === 'released'
}

function ended(instances: readonly SupplierInstance[]): Ended {
  return { status: 'ended', instances }
}
