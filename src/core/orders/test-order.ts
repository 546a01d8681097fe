import { type Actor, directSubUser } from '../access/actor.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { findStaticOrder, idsOfNumbers } from './find-static-order.ts'
import { POSITION } from './list-proxies.ts'
import { ASKED, askForChecks } from '../checks/asked-checks.ts'
import type { ProxyCheck } from '../checks/record-check.ts'
import type { OrderDeps } from './deps.ts'

/** A proxy is checked once a minute at most, whoever asks. */
const AGAIN_MS = 60_000

/** A proxy with what its latest check has seen. */
export interface TestedProxy {
  readonly instanceNo: string
  readonly orderId: number
  /** Position in its order, from 0. */
  readonly position: number
  readonly ip: string
  readonly port: number
  /** Whether the check is still to come. */
  readonly left: boolean
  /** When the latest check that somebody asked for began; null before the first. */
  readonly askedCheckAt: string | null
  /** Result of the latest check; null before the first. */
  readonly check: ProxyCheck | null
}

/** What is tested: all active proxies of a user, or of an order, or one of them. */
type Tested =
  | { readonly userId: number }
  | {
      readonly orderId: number
      readonly instanceNo?: string
    }

/**
 * Has all active proxies of an order checked in the background (rules 5.20); {@link orderTest} reads the results. While checks of the
 * order are under way, no more are asked for.
 *
 * @throws order_not_found, invalid_state (none is active), rate_limited (all were checked within a minute), unavailable (proxies
 *   cannot be checked)
 */
export async function testOrder(
  deps: OrderDeps,
  actor: Actor,
  key: { readonly id: number },
): Promise<readonly TestedProxy[]> {
  const { id: orderId, orderNo, status } = await findStaticOrder(deps.db.read, actor, key)
  if (!deps.checks) throw new ServiceError('unavailable')
  const proxies = await begin(deps, { orderId })
  if (proxies.length === 0) throw new ServiceError('invalid_state', { data: { order_no: orderNo, status } })
  return proxies
}

/**
 * Reads what the latest checks of the active proxies of an order have seen, in the order of the proxies.
 *
 * @throws order_not_found
 */
export async function orderTest(
  { db }: OrderDeps,
  actor: Actor,
  key: { readonly id: number },
): Promise<readonly TestedProxy[]> {
  return readTested(db.read, { orderId: (await findStaticOrder(db.read, actor, key)).id })
}

/**
 * Does the same as {@link testOrder} for all active proxies of a user, whatever orders they came with (rules 5.20).
 *
 * @param user the actor itself, or a direct sub-user of it
 * @throws sub_user_not_found, not_direct_sub_user, invalid_state (no proxy is active), rate_limited (all were checked within a
 *   minute), unavailable (proxies cannot be checked)
 */
export async function testProxies(
  deps: OrderDeps,
  actor: Actor,
  user: { readonly userId: number },
): Promise<readonly TestedProxy[]> {
  await requireOwn(deps.db.read, actor, user)
  if (!deps.checks) throw new ServiceError('unavailable')
  const proxies = await begin(deps, user)
  if (proxies.length === 0) throw new ServiceError('invalid_state')
  return proxies
}

/**
 * Reads what the latest checks of the active proxies of a user have seen, in the order in which they were bought.
 *
 * @throws sub_user_not_found, not_direct_sub_user
 */
export async function proxiesTest(
  { db }: OrderDeps,
  actor: Actor,
  user: { readonly userId: number },
): Promise<readonly TestedProxy[]> {
  await requireOwn(db.read, actor, user)
  return readTested(db.read, user)
}

async function requireOwn(
  db: Readable,
  actor: Actor,
  { userId }: { readonly userId: number },
): Promise<void> {
  if (userId !== actor.id) await directSubUser(db, actor, userId)
}

/**
 * Does the same as {@link testOrder} for the operator, for an order or a single proxy. The running server makes the checks.
 *
 * @returns a function that reads the results so far
 * @throws validation_error (number: there is no such order or proxy, or none is active), rate_limited
 */
export async function testByNumber(
  deps: OrderDeps,
  number: string,
): Promise<() => Promise<readonly TestedProxy[]>> {
  const [proxy] = await proxyOfNumber(deps.db.read, { number })
  const [order] = proxy ? [] : await orderOfNumber(deps.db.read, { number, numbers: [number] })
  const tested = proxy ?? order
  if (!tested) throw InvalidInput.of('number', 'no_such_order_or_proxy')
  if ((await begin(deps, tested)).length === 0) throw InvalidInput.of('number', 'no_active_proxy')
  return () => readTested(deps.db.read, tested)
}

/** @throws rate_limited */
function begin(deps: OrderDeps, tested: Tested): Promise<readonly TestedProxy[]> {
  return deps.db.write(async (tx) => {
    const proxies = await readTested(tx, tested)
    if (proxies.length === 0 || proxies.some(({ left }) => left)) return proxies
    const now = deps.clock.now().getTime()
    const waits = proxies.map(({ check }) => (check ? Date.parse(check.checkedAt) + AGAIN_MS - now : 0))
    const least = Math.min(...waits)
    if (least > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(least / 1000) })
    const ids = proxies.flatMap(({ id }, index) => ((waits[index] ?? 0) > 0 ? [] : [id]))
    await askForChecks(tx, ids)
    return readTested(tx, tested)
  })
}

async function readTested(db: Readable, tested: Tested) {
  const of = 'userId' in tested ? 'user' : 'order'
  const only = 'userId' in tested ? undefined : tested.instanceNo
  const rows = await activeProxies(db, { of }, { id: 'userId' in tested ? tested.userId : tested.orderId })
  return rows
    .filter(({ instanceNo }) => only === undefined || instanceNo === only)
    .map(({ id, instanceNo, orderId, position, ip, port, nextCheckAt, askedCheckAt, ...check }) => ({
      id,
      instanceNo,
      orderId,
      position,
      ip,
      port,
      askedCheckAt,
      left: nextCheckAt === ASKED,
      check: check.checkedAt === null ? null : (check as ProxyCheck),
    }))
}

const activeProxies = compiledByShape<{ of: 'user' | 'order' }, { id: number }>()((db, { of }, { id }) =>
  db
    .selectFrom('instances as i')
    .leftJoin('proxyChecks as c', (on) =>
      on.on('c.id', '=', ({ selectFrom }) =>
        selectFrom('proxyChecks as last')
          .select(({ fn }) => fn.max('last.id').as('id'))
          .whereRef('last.instanceId', '=', 'i.id')
          .$asScalar()
          .$notNull(),
      ),
    )
    .select(['i.id', 'i.instanceNo', 'i.orderId', 'i.ip', 'i.port', 'i.nextCheckAt', 'i.askedCheckAt'])
    .select(POSITION)
    .select([
      'c.verdict',
      'c.stage',
      'c.reason',
      'c.connectMs',
      'c.firstByteMs',
      'c.exitAddress',
      'c.checkedAt',
    ])
    .where(of === 'user' ? 'i.userId' : 'i.orderId', '=', id)
    .where('i.status', '=', 'active')
    .orderBy('i.id'),
)

const proxyOfNumber = compiled<{ number: string }>()((db, { number }) =>
  db.selectFrom('instances').select(['orderId', 'instanceNo']).where('instanceNo', '=', number),
)

/** Finds an order by its number, else the newest with this application order number. */
const orderOfNumber = compiled<{ number: string; numbers: readonly string[] }>()((db, { number, numbers }) =>
  db
    .selectFrom('staticOrders as o')
    .select('o.id as orderId')
    .where('o.id', 'in', idsOfNumbers(numbers))
    .orderBy(({ eb }) => eb('o.orderNo', '=', number), 'desc')
    .orderBy('o.id', 'desc')
    .limit(1),
)
