import type { Role } from '../../generated/prisma/client.ts'
import { type Actor, maySee } from '../access/actor.ts'
import { compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'

/** A proxy that was named by its number. */
export type NamedProxy = Awaited<ReturnType<typeof findNamed>>[number]

/**
 * Returns the proxies with these numbers, whatever orders they came with, each once, in the order of their delivery.
 *
 * @throws instance_not_found, also when one is somebody else's
 */
export async function proxiesNamed(
  db: Readable,
  { id, role }: Actor,
  instanceNos: readonly string[],
): Promise<readonly NamedProxy[]> {
  const found = await findNamed(db, { role }, { actorId: id, instanceNos })
  const known = new Set(found.map(({ instanceNo }) => instanceNo))
  const missing = instanceNos.find((each) => !known.has(each))
  if (missing !== undefined) throw new ServiceError('instance_not_found', { data: { instance_no: missing } })
  return found
}

const findNamed = compiledByShape<{ role: Role }, { actorId: number; instanceNos: readonly string[] }>()(
  (db, { role }, { actorId, instanceNos }) =>
    db
      .selectFrom('instances as i')
      .select(['i.id', 'i.instanceNo', 'i.orderId', 'i.userId', 'i.providerOrderNo', 'i.status'])
      .where('i.instanceNo', 'in', listOf(instanceNos))
      .where(({ ref }) => maySee({ role, id: actorId }, ref('i.userId')))
      .orderBy('i.id'),
)
