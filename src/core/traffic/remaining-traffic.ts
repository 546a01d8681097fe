import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, directSubUser } from '../access.ts'
import { jsonObject, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { Bytes } from './bytes.ts'
import { TRAFFIC_LEFT } from './traffic-left.ts'

/** Traffic of a user in one dynamic product. */
export interface ProductFlow {
  readonly productId: number
  readonly productNo: string
  readonly productNameEn: string
  readonly productNameZh: string
  /** Where its exits are; empty: everywhere. */
  readonly countries: readonly string[]
  readonly pool: string
  readonly proxyType: number
  /** Bought; the sum of used, allocated and remaining. */
  readonly total: Bytes
  readonly used: Bytes
  /** Handed to sub-accounts. */
  readonly allocated: Bytes
  readonly remaining: Bytes
  readonly status: 'active' | 'exhausted' | 'none'
  /** Null when never bought. */
  readonly updatedAt: string | null
}

const remaining = `coalesce(${TRAFFIC_LEFT.sql}, 0)`

const flowJson = jsonObject({
  productId: 'p.id',
  productNo: 'p.product_no',
  productNameEn: 'p.name_en',
  productNameZh: 'p.name_zh',
  countries: 'json(p.countries)',
  pool: 'p.pool',
  proxyType: 'p.proxy_type',
  total: 'coalesce(t.total_bytes, 0)',
  used: 'coalesce(t.used_bytes, 0)',
  allocated: 'coalesce(t.allocated_bytes, 0)',
  remaining,
  status: `CASE WHEN t.id IS NULL THEN 'none' WHEN ${remaining} > 0 THEN 'active' ELSE 'exhausted' END`,
  updatedAt: 't.updated_at',
})

/**
 * What a user has left, by product: those that it ever bought (rules 6.4).
 *
 * @param userId the actor, or an agent's direct sub-user; undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function productsFlow(
  { db }: CoreDeps,
  actor: Actor,
  userId: number | undefined,
): Promise<{ readonly userId: number; readonly items: ProductFlow[] }> {
  const owner = await ownerFor(db.read, actor, userId)
  const items = await selectJson<ProductFlow>(
    db.read,
    Prisma.sql`SELECT ${flowJson} AS json FROM traffic t JOIN products p ON p.id = t.product_id
               WHERE t.user_id = ${owner} ORDER BY p.shelf, p.id`,
  )
  return { userId: owner, items }
}

/**
 * What a user has left in one product: zeros when it never bought any (rules 6.4).
 *
 * @param userId as in {@link productsFlow}
 * @throws product_not_found, and what {@link productsFlow} refuses
 */
export async function remainingFlow(
  { db }: CoreDeps,
  actor: Actor,
  userId: number | undefined,
  productNo: string,
): Promise<ProductFlow> {
  const owner = await ownerFor(db.read, actor, userId)
  const [flow] = await selectJson<ProductFlow>(
    db.read,
    Prisma.sql`SELECT ${flowJson} AS json FROM products p LEFT JOIN traffic t ON t.product_id = p.id AND t.user_id = ${owner}
               WHERE p.product_no = ${productNo} AND p.pool IS NOT NULL`,
  )
  if (!flow) throw new ServiceError('product_not_found')
  return flow
}

async function ownerFor(
  db: CoreDeps['db']['read'],
  actor: Actor,
  userId: number | undefined,
): Promise<number> {
  if (userId === undefined || userId !== actor.id) await directSubUser(db, actor, userId)
  return userId ?? actor.id
}
