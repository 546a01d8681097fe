import type { Role } from '../../generated/prisma/client.ts'
import { type Actor, maySee } from '../access/actor.ts'
import { HEALTH } from '../checks/health.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { rowsAsJson } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import { NAMES } from '../catalog/product-texts.ts'

/** A proxy with all that a replacement has to know: its order, product and history. */
export type ReplacedProxy = Awaited<ReturnType<typeof ofInstance>>[number]

function selectReplaced(db: Queryable['$kysely']) {
  return db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as u', 'u.id', 'i.userId')
    .leftJoin('supplierConnections as c', 'c.name', 'p.supplier')
    .select(['i.id', 'i.instanceNo', 'i.orderId', 'o.orderNo', 'i.userId', 'u.username as owner'])
    .select([
      'i.status',
      'o.status as orderStatus',
      'i.providerInstanceNo',
      'i.ip',
      'i.port',
      HEALTH.as('health'),
      'i.failures',
    ])
    .select(['i.countryCode', 'i.cityCode', 'i.openedAt', 'i.expireTime', 'i.refundedAmount', 'i.cost'])
    .select(['i.agentPaid', 'i.agentReturned'])
    .select(['i.discount', 'o.unitPrice', 'o.periods', 'o.projectId', 'o.locationId', 'i.providerOrderNo'])
    .select('c.id as connectionId')
    .select(['p.supplier', 'p.replacePolicy', 'p.replaceLimit', NAMES])
    .select(({ selectFrom }) => [
      rowsAsJson(
        selectFrom('replacements as r')
          .select(['r.id', 'r.status', 'r.createdAt'])
          .whereRef('r.instanceId', '=', 'i.id'),
        'id',
      ).as('replacements'),
      rowsAsJson(
        selectFrom('renewedInstances as n')
          .innerJoin('renewals as w', 'w.id', 'n.renewalId')
          .select(['n.id', 'n.amount', 'n.oldExpireTime', 'n.newExpireTime', 'w.createdAt', 'w.status'])
          .whereRef('n.instanceId', '=', 'i.id')
          .where('n.failed', '=', false),
        'id',
      ).as('renewals'),
    ])
}

const ofInstance = compiled<{ id: number }>()((db, { id }) => selectReplaced(db).where('i.id', '=', id))

const ofNumber = compiledByShape<{ role: Role }, { actorId: number; instanceNo: string }>()(
  (db, { role }, { actorId, instanceNo }) =>
    selectReplaced(db)
      .where('i.instanceNo', '=', instanceNo)
      .where(({ ref }) => maySee({ role, id: actorId }, ref('i.userId'))),
)

/** @throws instance_not_found, also when it is somebody else's */
export async function findReplaced(db: Readable, actor: Actor, instanceNo: string): Promise<ReplacedProxy> {
  const [proxy] = await ofNumber(db, { role: actor.role }, { actorId: actor.id, instanceNo })
  if (!proxy) throw new ServiceError('instance_not_found', { data: { instance_no: instanceNo } })
  return proxy
}

/** Reads the proxy of a replacement, without a check of access. */
export async function readReplaced(db: Readable, id: number): Promise<ReplacedProxy> {
  const [proxy] = await ofInstance(db, { id })
  if (!proxy) throw new Error(`there is no instance ${id}`)
  return proxy
}
