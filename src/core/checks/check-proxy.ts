import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { beginAskedCheck } from './asked-once.ts'
import type { Checks } from './checks.ts'
import { findProxy, type ProxyInUse } from './proxy-of.ts'
import { type ProxyCheck, recordCheck } from './record-check.ts'
import { InstanceNo } from '../identifiers.ts'
import type { CheckDeps } from './deps.ts'

/** Maximum number of checks at the same time that people asked for; each holds a connection for up to 15 seconds. */
const AT_ONCE = 20

const CheckInput = z.object({ instanceNo: InstanceNo })

/**
 * Checks a proxy now, because somebody asks (rules 5.20).
 *
 * @param actor its user or the user's agent; null for the operator
 * @throws instance_not_found, invalid_state (not active), rate_limited with the seconds to wait, unavailable (proxies cannot be
 *   checked, or too many are being checked)
 */
export async function checkProxy(
  deps: CheckDeps,
  actor: Actor | null,
  input: z.input<typeof CheckInput>,
): Promise<ProxyCheck & { readonly instanceNo: string; readonly orderNo: string }> {
  const { instanceNo } = parseInput(CheckInput, input)
  const proxy = await findProxy(deps.db.read, actor, instanceNo)
  if (proxy.status !== 'active') throw ended(proxy)
  const { checks } = deps
  if (!checks || checks.running.size >= AT_ONCE) throw new ServiceError('unavailable')
  checks.running.add(proxy)
  try {
    const msLeft = await beginAskedCheck(deps, proxy.id)
    if (msLeft > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(msLeft / 1000) })
    const check = await probeAndRecord(deps, checks, proxy)
    if (!check) throw ended(proxy)
    return { ...check, instanceNo, orderNo: proxy.orderNo }
  } finally {
    checks.running.delete(proxy)
  }
}

function ended({ instanceNo, orderNo, status }: ProxyInUse): ServiceError {
  return new ServiceError('invalid_state', {
    data: { order_no: orderNo, status, instance_no: instanceNo, instance_status: status },
  })
}

/** Probes a proxy and notes what was seen. A failure counts only while our own echo works. */
export async function probeAndRecord(
  deps: CheckDeps,
  { prober }: Checks,
  proxy: ProxyInUse,
): Promise<ProxyCheck | undefined> {
  const probe = await prober.probe(proxy)
  const counts = probe.stage === 'done' || (!probe.local && (await prober.controlWorks()))
  return deps.db.write((tx) => recordCheck(deps, tx, proxy, counts ? probe : undefined))
}

/**
 * Lists the latest checks of a proxy, newest first.
 *
 * @throws instance_not_found
 */
export async function checksOfProxy(
  { db }: CheckDeps,
  actor: Actor | null,
  input: z.input<typeof CheckInput>,
): Promise<ProxyCheck[]> {
  const { instanceNo } = parseInput(CheckInput, input)
  const { id } = await findProxy(db.read, actor, instanceNo)
  return db.read.$kysely
    .selectFrom('proxyChecks')
    .select(['verdict', 'stage', 'reason', 'connectMs', 'firstByteMs', 'exitAddress', 'checkedAt'])
    .where('instanceId', '=', id)
    .orderBy('id', 'desc')
    .$narrowType<Pick<ProxyCheck, 'stage' | 'reason'>>()
    .execute()
}
