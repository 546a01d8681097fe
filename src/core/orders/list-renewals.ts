import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { listOf, valuesAsJson } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { UpdatedSince } from '../updated-since.ts'
import { idsOfNumbers } from './find-static-order.ts'
import { type Renewal, RenewalStatus, selectRenewals, toRenewal } from './renewal.ts'
import { isOf } from './static-order.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const RenewalFilter = z.object({
  ...paging,
  /** Order number or application order number. */
  orderNo: z.string().max(64).optional(),
  userId: z.int().positive().optional(),
  status: z.enum(RenewalStatus).optional(),
  updatedSince: UpdatedSince.optional(),
})

/**
 * Lists the renewals of the orders that the actor may see, newest first (rules 5.29).
 *
 * @throws validation_error
 */
export async function listRenewals(
  { db }: Essentials,
  { role, id: actorId }: Actor,
  input: z.input<typeof RenewalFilter> = {},
): Promise<Page<Renewal>> {
  const { page, pageSize, orderNo, userId, status, updatedSince } = parseInput(RenewalFilter, input)
  const { $kysely } = db.read
  const found = $kysely
    .selectFrom('renewals as r')
    .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
    .where(({ and, or, eb, ref }) =>
      and([
        isOf({ role, actorId, userId }, ref('o.userId')),
        ...(orderNo === undefined ? [] : [eb('o.id', 'in', idsOfNumbers([orderNo]))]),
        ...(status ? [eb('r.status', '=', status)] : []),
        ...(updatedSince
          ? [or([eb('r.createdAt', '>=', updatedSince), eb('r.endedAt', '>=', updatedSince)])]
          : []),
      ]),
    )
  const ofPage = found
    .select('r.id')
    .orderBy('r.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const { total, ids } = await $kysely
    .selectNoFrom(({ fn }) => [
      found.select(fn.countAll<number>().as('number')).$asScalar().$notNull().as('total'),
      valuesAsJson(ofPage).as('ids'),
    ])
    .executeTakeFirstOrThrow()
  const rows = await selectRenewals($kysely)
    .where('r.id', 'in', listOf(ids))
    .orderBy('r.id', 'desc')
    .execute()
  return { items: rows.map(toRenewal), total, page, pageSize }
}
