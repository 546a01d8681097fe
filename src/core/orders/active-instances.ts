import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { type Instance, instanceJson } from './list-static-orders.ts'

/** All proxies that the actor itself can use now, oldest first. */
export function activeInstances({ db }: CoreDeps, actor: Actor): Promise<Instance[]> {
  return selectJson<Instance>(
    db.read,
    Prisma.sql`SELECT ${instanceJson} AS json FROM instances i WHERE i.user_id = ${actor.id} AND i.status = 'active' ORDER BY i.id`,
  )
}
