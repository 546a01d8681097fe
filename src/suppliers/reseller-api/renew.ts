import { z } from 'zod'
import {
  type Ended,
  type Found,
  type Placed,
  type RenewRequest,
  SupplierFault,
  type SupplierInstance,
} from '../../core/supply/driver.ts'
import type { Answer } from './answer.ts'
import { ceilingNumber, decimal, micros } from './decimal.ts'
import { durationOf } from './duration.ts'
import { heldBefore, heldProxies, ORDER_UNKNOWN } from './held-proxies.ts'
import { isoTime } from './records.ts'
import { refusedWith } from './refusals.ts'
import type { Session } from './session.ts'

const RENEW = '/open/app/static/order/renew'
const RENEWALS = '/open/app/static/renewals'

/** A renewal as the service shows it; services that renew at once leave `status` out. */
const Renewal = z.object({
  renew_order_no: z.string().min(1).nullish(),
  status: z.string().nullish(),
  amount: z.number().nullish(),
  refunded_amount: z.number().nullish(),
  fail_reason: z.string().nullish(),
  instances: z.array(z.object({ instance_no: z.string(), new_expire_time: z.string().nullish() })).nullish(),
})
type Renewal = z.output<typeof Renewal>

/** Renews proxies, unless they are renewed already by a request whose answer was lost. */
export async function placeRenew(
  session: Session,
  request: RenewRequest,
  signal: AbortSignal,
): Promise<Placed> {
  const totalAmount = ceilingNumber(request.ceiling)
  // 0 would mean no ceiling.
  if (totalAmount <= 0) return { status: 'refused', reason: 'price_changed', message: 'The ceiling is 0' }
  const duration = durationOf(request)
  if (!duration) return { status: 'refused', reason: 'not_supported', message: 'The term cannot be ordered' }
  const held = await heldBefore(session, request, signal)
  if (!held) return ORDER_UNKNOWN
  const renewed = renewedOf(request, held.instances)
  if (renewed.length === request.instances.length) return { status: 'ended', instances: renewed }

  const { callNo } = request
  const body = {
    order_no: held.orderNo,
    instances: request.instances.map(({ providerInstanceNo }) => providerInstanceNo),
    ...duration,
    totalAmount,
    appOrderNo: callNo,
  }
  const answer = await session.call({ method: 'POST', path: RENEW, body, idempotencyKey: callNo }, signal)
  if ('refusal' in answer) return refusedWith(answer.refusal)
  const renewal = renewalIn(answer)
  const number = renewal.renew_order_no ?? undefined
  const times = new Map(
    renewal.instances?.map(({ instance_no, new_expire_time }) => [instance_no, isoTime(new_expire_time)]),
  )
  const finished = renewal.status === undefined || renewal.status === null || renewal.status === 'success'
  // Without all new times in the answer, the renewal is looked up later.
  if (!finished || !held.instances.every(({ providerInstanceNo }) => times.get(providerInstanceNo)))
    return { status: 'accepted', ...(number !== undefined && { providerOrderNo: number }) }
  return ended(
    renewal,
    held.instances.map((instance): SupplierInstance => {
      const expireTime = times.get(instance.providerInstanceNo)
      return { ...instance, status: 'running', ...(expireTime !== undefined && { expireTime }) }
    }),
  )
}

/**
 * Finds what became of a renewal, by what the service says of it where its number is known, and by the expiry of the proxies.
 *
 * @param renewOrderNo where it is known, the renewal is never absent: the service has accepted it
 */
export async function findRenew(
  session: Session,
  request: RenewRequest,
  renewOrderNo: string | null,
  signal: AbortSignal,
): Promise<Found> {
  const renewal = renewOrderNo === null ? undefined : await readRenewal(session, renewOrderNo, signal)
  if (renewal?.status === 'processing') return open(renewOrderNo)
  const held = await heldProxies(session, request, signal)
  const renewed = renewedOf(request, held?.instances ?? [])
  const decided = renewal?.status === 'success' || renewal?.status === 'failed'
  if (renewal && decided) return ended(renewal, renewed)
  // Renewals of an order are carried out together: a part of them is not the end.
  if (renewed.length === request.instances.length) return ended({ renew_order_no: renewOrderNo }, renewed)
  if (renewOrderNo !== null || renewed.length > 0) return open(renewOrderNo)
  if (request.instances.some(({ expireTime }) => expireTime === null))
    throw new SupplierFault('unknown', 'Without the earlier expiry nobody can tell whether it was renewed')
  return { status: 'absent' }
}

/** Reads the renewal by its number; undefined where the service does not show renewals. */
async function readRenewal(
  session: Session,
  renewOrderNo: string,
  signal: AbortSignal,
): Promise<Renewal | undefined> {
  const path = `${RENEWALS}/${encodeURIComponent(renewOrderNo)}`
  const answer = await session.call({ method: 'GET', path }, signal)
  return 'refusal' in answer ? undefined : renewalIn(answer)
}

function renewalIn(answer: Answer): Renewal {
  const renewal = Renewal.safeParse('data' in answer ? answer.data : undefined)
  if (!renewal.success) throw new SupplierFault('unknown', 'The renewal cannot be read')
  return renewal.data
}

/** Returns the proxies of the request that run longer now than before it. */
function renewedOf(
  { instances }: RenewRequest,
  held: readonly SupplierInstance[],
): readonly SupplierInstance[] {
  const before = new Map(
    instances.map(({ providerInstanceNo, expireTime }) => [providerInstanceNo, expireTime]),
  )
  return held.filter(({ providerInstanceNo, expireTime }) => {
    const old = before.get(providerInstanceNo)
    return old && expireTime !== undefined && Date.parse(expireTime) > Date.parse(old)
  })
}

function ended(renewal: Renewal, instances: readonly SupplierInstance[]): Ended {
  const { renew_order_no, amount, refunded_amount, fail_reason } = renewal
  return {
    status: 'ended',
    ...(renew_order_no && { providerOrderNo: renew_order_no }),
    ...(typeof amount === 'number' && { amount: decimal(micros(amount) - micros(refunded_amount ?? 0)) }),
    instances,
    ...(fail_reason && { reason: fail_reason }),
  }
}

function open(renewOrderNo: string | null): Found {
  return { status: 'open', ...(renewOrderNo !== null && { providerOrderNo: renewOrderNo }) }
}
