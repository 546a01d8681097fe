import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { contains, rowsAsJson } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { UpdatedSince } from '../updated-since.ts'
import {
  readSubAccount,
  SUB_ACCOUNT_STATUSES,
  type SubAccount,
  subAccountRecords,
  visibleSubAccounts,
} from './sub-account.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const SubAccountFilter = z.object({
  ...paging,
  userId: z.int().positive().optional(),
  productNo: z.string().max(64).optional(),
  status: z.enum(SUB_ACCOUNT_STATUSES).optional(),
  updatedSince: UpdatedSince.optional(),
  /** Part of the name or the remark. */
  keyword: z.string().max(200).optional(),
})

/** Lists the sub-accounts that the actor may see, newest first, with their traffic (rules 6.9). */
export async function listSubAccounts(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof SubAccountFilter> = {},
): Promise<Page<SubAccount>> {
  const { page, pageSize, ...filter } = parseInput(SubAccountFilter, input)
  const { userId, productNo, status, updatedSince, keyword } = filter
  const { $kysely } = db.read
  const found = visibleSubAccounts($kysely, actor).where(({ eb, ref, and, or }) =>
    and([
      ...(userId ? [eb('t.userId', '=', userId)] : []),
      ...(productNo ? [eb('p.productNo', '=', productNo)] : []),
      ...(status ? [eb('s.status', '=', status)] : []),
      ...(updatedSince ? [eb('s.updatedAt', '>=', updatedSince)] : []),
      ...(keyword ? [or([contains(ref('s.username'), keyword), contains(ref('s.remark'), keyword)])] : []),
    ]),
  )
  const items = subAccountRecords(found, actor)
    .orderBy('s.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const listed = await $kysely
    .selectNoFrom(({ fn }) => [
      found.select(fn.countAll<number>().as('count')).$asScalar().$notNull().as('total'),
      rowsAsJson(items, 'id desc').as('items'),
    ])
    .executeTakeFirstOrThrow()
  return { ...listed, page, pageSize }
}

/**
 * Returns one sub-account.
 *
 * @param id undefined when the request had no valid id
 * @throws sub_account_not_found
 */
export function getSubAccount({ db }: Essentials, actor: Actor, id: number | undefined): Promise<SubAccount> {
  return readSubAccount(db.read, actor, id)
}
