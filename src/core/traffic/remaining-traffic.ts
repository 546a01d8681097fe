import type { Expression } from 'kysely'
import { z } from 'zod'
import type { TrafficPool } from '../../generated/kysely/tables.ts'
import { type Actor, directSubUser } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { parsed } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import { type Held, Time, Traffic } from '../record.ts'
import { bytesLeft } from './traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { PRODUCT_NAMES } from '../catalog/product-texts.ts'
import type { Translations } from '../translations.ts'

/** Fields shown of what a user has left in one dynamic product (rules 6.4). */
export const PRODUCT_FLOW = {
  productNo: z.string(),
  productName: z.string(),
  pool: z.string(),
  proxyType: z.int(),
  total: Traffic.meta({ description: 'Bought, in GB: the sum of used, allocated and remaining' }),
  used: Traffic.meta({ description: 'Used by the user itself, in GB' }),
  allocated: Traffic.meta({ description: 'Handed to sub-accounts, in GB' }),
  remaining: Traffic,
  unit: z.literal('GB'),
  status: z
    .enum(['active', 'exhausted', 'none'])
    .meta({ description: '`exhausted`: nothing is left; `none`: never bought' }),
  updatedAt: Time.nullable().meta({ description: 'Of the last purchase, use or allocation' }),
}

export interface ProductFlow extends Omit<Held<typeof PRODUCT_FLOW>, 'productName' | 'unit'> {
  readonly productId: number
  readonly productNames: Translations
  /** Countries of its exits; empty: everywhere. */
  readonly countries: readonly string[]
}

/**
 * Lists the traffic of a user in each product of which it ever bought some (rules 6.4).
 *
 * @param userId the actor, or an agent's direct sub-user; undefined when the request had no valid id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function productsFlow(
  { db }: Essentials,
  actor: Actor,
  userId: number | undefined,
): Promise<{ readonly userId: number; readonly items: ProductFlow[] }> {
  const owner = await ownerFor(db.read, actor, userId)
  const items = await findBought(db.read, { owner })
  return { userId: owner, items: items.map(flowOf) }
}

const findBought = compiled<{ owner: number }>()((db, { owner }) =>
  flows(db, owner).where('t.id', 'is not', null).orderBy('p.shelf').orderBy('p.id'),
)

/**
 * Returns the traffic of a user in one product: zeros when it never bought any (rules 6.4).
 *
 * @param userId as in {@link productsFlow}
 * @throws product_not_found, and what {@link productsFlow} refuses
 */
export async function remainingFlow(
  { db }: Essentials,
  actor: Actor,
  userId: number | undefined,
  productNo: string,
): Promise<ProductFlow> {
  const owner = await ownerFor(db.read, actor, userId)
  const [flow] = await findFlow(db.read, { owner, productNo })
  if (!flow) throw new ServiceError('product_not_found')
  return flowOf(flow)
}

const findFlow = compiled<{ owner: number; productNo: string }>()((db, { owner, productNo }) =>
  flows(db, owner).where('p.productNo', '=', productNo),
)

/** Selects dynamic products, with the traffic of a user in them. */
function flows(db: Queries, owner: Expression<number>) {
  return db
    .selectFrom('products as p')
    .leftJoin('traffic as t', (on) => on.onRef('t.productId', '=', 'p.id').on('t.userId', '=', owner))
    .select(['p.id as productId', 'p.productNo', PRODUCT_NAMES])
    .select(({ ref }) => parsed<string[]>(ref('p.countries')).as('countries'))
    .select(['p.pool', 'p.proxyType', 't.id as trafficId', 't.updatedAt'])
    .select(({ fn, lit }) => [
      fn.coalesce('t.totalBytes', lit(0)).as('total'),
      fn.coalesce('t.usedBytes', lit(0)).as('used'),
      fn.coalesce('t.allocatedBytes', lit(0)).as('allocated'),
      fn.coalesce(bytesLeft(), lit(0)).as('remaining'),
    ])
    .where('p.pool', 'is not', null)
    .$narrowType<{ pool: TrafficPool }>()
}

function flowOf({
  trafficId,
  ...flow
}: Omit<ProductFlow, 'status'> & { trafficId: number | null }): ProductFlow {
  const status = trafficId === null ? 'none' : flow.remaining > 0 ? 'active' : 'exhausted'
  return { ...flow, status }
}

async function ownerFor(
  db: Essentials['db']['read'],
  actor: Actor,
  userId: number | undefined,
): Promise<number> {
  if (userId === undefined || userId !== actor.id) await directSubUser(db, actor, userId)
  return userId ?? actor.id
}
