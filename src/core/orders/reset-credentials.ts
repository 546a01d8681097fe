import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { capableConnection, usableConnection } from '../supply/capable-connection.ts'
import type { ResetRequest } from '../supply/driver.ts'
import { intendCall } from '../supply/intend-call.ts'
import { expireDueOf } from './expire-instances.ts'
import { findInstance, type InstanceInLife, type OrderInLife, wrongState } from './find-static-order.ts'
import type { OrderDeps } from './deps.ts'

/** Least time between two requests for new credentials of a proxy. */
const PAUSE_MS = 60 * 60_000

interface Reset {
  readonly orderNo: string
  readonly instanceNo: string
  /** Number of the request. */
  readonly resetNo: string
}

/**
 * Asks the supplier for other credentials of a proxy (rules 5.19). They come later, with the notice `credentials_changed`; until then
 * the old ones hold.
 *
 * @param requestKey with a key, a repeated request gets the first answer again
 * @throws instance_not_found, invalid_state (not active, or its supplier gives no others), rate_limited (asked for within the hour),
 *   supplier_error, idempotency_conflict, validation_error
 */
export async function resetCredentials(
  deps: OrderDeps,
  actor: Actor,
  instanceNo: string,
  requestKey?: string | null,
): Promise<Reset & { readonly replayed: boolean }> {
  const key = parseInput(RequestKey.nullish(), requestKey)
  const keyed = { key, kind: 'reset_credentials', input: instanceNo }
  return once(deps, actor, keyed, async (tx) => {
    await expireDueOf(tx, deps.clock.now(), (await findInstance(tx, actor, instanceNo)).order.id)
    const { order, instance } = await findInstance(tx, actor, instanceNo)
    return { orderNo: order.orderNo, instanceNo, resetNo: await request(deps, tx, order, instance) }
  })
}

async function request(
  deps: OrderDeps,
  tx: Tx,
  order: OrderInLife,
  instance: InstanceInLife,
): Promise<string> {
  const { id: orderId, connectionId } = order
  if (connectionId === null || instance.status !== 'active') throw wrongState(order, instance)
  await capableConnection(deps, 'resets', { ...order, connectionId })
  const now = deps.clock.now()
  const { providerInstanceNo } = instance
  const waitMs = await pauseLeft(tx, now, orderId, providerInstanceNo)
  if (waitMs > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(waitMs / 1000) })
  const [provider] = await readProviderNo(tx, { orderId })
  const resetNo = newNumber('P', now)
  await intendCall(tx, now, {
    callNo: resetNo,
    connectionId,
    kind: 'reset',
    subject: resetNo,
    orderId,
    count: 1,
    expectedCost: 0,
    request: {
      kind: 'reset',
      providerOrderNo: provider?.providerOrderNo ?? null,
      instances: [{ providerInstanceNo }],
    },
  })
  return resetNo
}

/** Returns the milliseconds until the proxy may get other credentials; an hour while the supplier has not answered. */
async function pauseLeft(
  db: Readable,
  now: Date,
  orderId: number,
  providerInstanceNo: string,
): Promise<number> {
  const since = new Date(now.getTime() - PAUSE_MS).toISOString()
  const calls = await resetsSince(db, { orderId, since })
  const ofProxy = calls.filter(({ request: { instances } }) =>
    instances.some((asked) => asked.providerInstanceNo === providerInstanceNo),
  )
  const waits = ofProxy.map(({ createdAt, nextAt }) =>
    nextAt === null ? new Date(createdAt).getTime() + PAUSE_MS - now.getTime() : PAUSE_MS,
  )
  return Math.max(0, ...waits)
}

const resetsSince = compiled<{ orderId: number; since: string }>()((db, { orderId, since }) =>
  db
    .selectFrom('supplierCalls as c')
    .select(['c.createdAt', 'c.nextAt'])
    .select(({ ref }) => parsed<ResetRequest>(ref('c.request')).as('request'))
    .where('c.orderId', '=', orderId)
    .where('c.kind', '=', 'reset')
    .where(({ or, eb }) => or([eb('c.createdAt', '>', since), eb('c.nextAt', 'is not', null)]))
    .orderBy('c.id'),
)

const readProviderNo = compiled<{ orderId: number }>()((db, { orderId }) =>
  db.selectFrom('staticOrders').select('providerOrderNo').where('id', '=', orderId),
)

/** Returns whether the supplier of an order gives other credentials to its proxies. */
export async function givesCredentials(
  deps: OrderDeps,
  { connectionId }: { readonly connectionId: number | null },
): Promise<boolean> {
  const connection = connectionId === null ? undefined : await usableConnection(deps, connectionId)
  return connection?.driver.capabilities.resets ?? false
}
