import { type Actor, maySee } from '../access/actor.ts'
import type { Role } from '../../generated/prisma/client.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import type { Queryable } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import { HEALTH } from './health.ts'

/** A delivered proxy with what its checks have said so far. */
export type ProxyInUse = Awaited<ReturnType<typeof readProxies>>[number]

function selectProxies(db: Queryable['$kysely']) {
  return db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(['i.id', 'i.instanceNo', 'i.orderId', 'o.orderNo', 'i.userId', 'p.supplier', 'i.status'])
    .select(['i.ip', 'i.port', 'i.username', 'i.password'])
    .select(['i.verdict', 'i.answerMs', 'i.failures', 'i.failingSince', 'i.nextCheckAt'])
    .select(HEALTH.as('health'))
}

const proxyOfNumber = compiledByShape<{ role: Role }, { actorId: number; instanceNo: string }>()(
  (db, { role }, { actorId, instanceNo }) =>
    selectProxies(db)
      .where('i.instanceNo', '=', instanceNo)
      .where(({ ref }) => maySee({ role, id: actorId }, ref('i.userId'))),
)

const readProxies = compiled<{ instanceNo: string }>()((db, { instanceNo }) =>
  selectProxies(db).where('i.instanceNo', '=', instanceNo),
)

const proxyOfId = compiled<{ id: number }>()((db, { id }) => selectProxies(db).where('i.id', '=', id))

/**
 * Finds a proxy by its number.
 *
 * @param actor who may see it; null for the operator, who sees all
 * @throws instance_not_found, also when it is somebody else's
 */
export async function findProxy(db: Readable, actor: Actor | null, instanceNo: string): Promise<ProxyInUse> {
  const [proxy] = actor
    ? await proxyOfNumber(db, { role: actor.role }, { actorId: actor.id, instanceNo })
    : await readProxies(db, { instanceNo })
  if (!proxy) throw new ServiceError('instance_not_found', { data: { instance_no: instanceNo } })
  return proxy
}

/** Reads the proxy as it is now. */
export async function proxyAsItIs(db: Readable, id: number): Promise<ProxyInUse | undefined> {
  const [proxy] = await proxyOfId(db, { id })
  return proxy
}
