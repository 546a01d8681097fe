import { ServiceError } from '../errors.ts'
import { stillProcessing } from './find-static-order.ts'
import type { ReplacedProxy } from './replaced-proxy.ts'

const DAY_MS = 24 * 60 * 60_000
/** Least time between two replacements of a proxy: a request within it is a double press. */
const AGAIN_MS = 60_000

/** Why a replacement needs no decision: `dead` by our checks, or `young`, delivered within a day; `none`: it needs one. */
export const REPLACEMENT_GROUNDS = ['dead', 'young', 'none'] as const
export type ReplacementGround = (typeof REPLACEMENT_GROUNDS)[number]

export interface ReplacementTerms {
  readonly ground: ReplacementGround
  /** Whether it is done at once, or the operator decides. */
  readonly way: 'at_once' | 'ask'
  /** How often the proxy may still be replaced at once in this term. */
  readonly left: number
  /** Whether a check of ours has failed: without that only the operator gives money instead of another proxy (rules 5.31). */
  readonly testFailed: boolean
}

/**
 * Returns the terms on which a proxy may be replaced for a customer who asks (rules 5.22).
 *
 * @throws invalid_state (it is not active, or its product is not replaced), order_processing (it is being replaced or renewed),
 *   rate_limited (it was replaced a moment ago)
 */
export function replacementTerms(proxy: ReplacedProxy, now: Date): ReplacementTerms {
  const { replacePolicy, renewals } = proxy
  if (replacePolicy === 'never')
    throw new ServiceError('invalid_state', { data: { ...stateOf(proxy), reason: 'not_replaced' } })
  refuseIrreplaceable(proxy, now)

  const done = doneOf(proxy)
  const sinceLast = sinceLastOf(proxy, now)
  const begun = renewals.at(-1)?.createdAt ?? proxy.openedAt
  const left = Math.max(0, proxy.replaceLimit - done.filter(({ createdAt }) => createdAt >= begun).length)
  const young = now.getTime() - Date.parse(proxy.openedAt) < DAY_MS && !(sinceLast < DAY_MS)
  const ground = proxy.health === 'dead' ? 'dead' : young ? 'young' : 'none'
  const testFailed = proxy.health === 'dead' || proxy.failures > 0
  const atOnce = replacePolicy === 'auto' && ground !== 'none' && left > 0
  return { ground, left, way: atOnce ? 'at_once' : 'ask', testFailed }
}

/**
 * Refuses a proxy that nobody can replace, not even the operator.
 *
 * @throws invalid_state (it is not active), order_processing (it is being replaced or renewed), rate_limited (it was replaced a
 *   moment ago)
 */
export function refuseIrreplaceable(proxy: ReplacedProxy, now: Date): void {
  const { orderNo, status, replacements } = proxy
  // The loop expires proxies only every few seconds.
  const ended = status !== 'active' || Date.parse(proxy.expireTime) <= now.getTime()
  if (ended) throw new ServiceError('invalid_state', { data: stateOf(proxy) })
  if (replacements.some((one) => one.status === 'requested' || one.status === 'processing'))
    throw stillProcessing(orderNo)
  refuseWhileRenewed(proxy)
  const sinceLast = sinceLastOf(proxy, now)
  if (sinceLast >= 0 && sinceLast < AGAIN_MS)
    throw new ServiceError('rate_limited', { retryAfter: Math.ceil((AGAIN_MS - sinceLast) / 1000) })
}

function stateOf({ orderNo, orderStatus, instanceNo, status }: ReplacedProxy) {
  return { order_no: orderNo, status: orderStatus, instance_no: instanceNo, instance_status: status }
}

function doneOf({ replacements }: ReplacedProxy) {
  return replacements.filter(({ status }) => status === 'done')
}

/** Returns the milliseconds since the last replacement of a proxy; infinity when there was none. */
function sinceLastOf(proxy: ReplacedProxy, now: Date): number {
  return now.getTime() - Math.max(...doneOf(proxy).map(({ createdAt }) => Date.parse(createdAt)))
}

/**
 * Refuses a proxy whose renewal waits for the supplier: that would renew a proxy that nobody has any more.
 *
 * @throws order_processing
 */
export function refuseWhileRenewed({ orderNo, renewals }: ReplacedProxy): void {
  if (renewals.some(({ status }) => status === 'processing')) throw stillProcessing(orderNo)
}
