import { type Actor, directSubUser } from '../access/actor.ts'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'

/** A traffic account, and the product that it is for. */
export interface MainAccount {
  readonly id: number
  readonly userId: number
  readonly productNo: string
  readonly keepHosts: boolean
  readonly countries: readonly string[]
  readonly cities: readonly string[]
}

/** Names a traffic account by product and owner; the owner is by default the caller. */
export interface WhichAccount {
  readonly productNo: string
  readonly userId?: number | null | undefined
}

/**
 * Reads the traffic account of the actor, or of an agent's direct sub-user, for a product.
 *
 * @throws product_not_found, also when none of it was ever bought; agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function mainAccount(
  db: Readable,
  actor: Actor,
  { productNo, userId }: WhichAccount,
): Promise<MainAccount> {
  const owner = userId ?? actor.id
  if (owner !== actor.id) await directSubUser(db, actor, owner)
  const found = await db.$kysely
    .selectFrom('traffic as t')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(['t.id', 't.userId', 'p.productNo', 't.keepHosts'])
    .select(({ ref }) => [
      parsed<string[]>(ref('p.countries')).as('countries'),
      parsed<string[]>(ref('p.cities')).as('cities'),
    ])
    .where('t.userId', '=', owner)
    .where('p.productNo', '=', productNo)
    .executeTakeFirst()
  if (!found) throw new ServiceError('product_not_found')
  return found
}
