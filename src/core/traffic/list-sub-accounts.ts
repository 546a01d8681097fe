import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { selectJson } from '../database/database.ts'
import { contains } from '../database/like.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import {
  readSubAccount,
  SUB_ACCOUNT_STATUSES,
  type SubAccount,
  subAccountJson,
  visibleSubAccounts,
} from './sub-account.ts'

export const SubAccountFilter = z.object({
  ...paging,
  userId: z.int().positive().optional(),
  productNo: z.string().max(64).optional(),
  status: z.enum(SUB_ACCOUNT_STATUSES).optional(),
  /** Part of the name or the remark. */
  keyword: z.string().max(200).optional(),
})

/** Sub-accounts that the actor may see, newest first, with their traffic as it stands (rules 6.9). */
export async function listSubAccounts(
  { db }: CoreDeps,
  actor: Actor,
  input: z.input<typeof SubAccountFilter> = {},
): Promise<Page<SubAccount>> {
  const { page, pageSize, ...filter } = parseInput(SubAccountFilter, input)
  const { userId, productNo, status, keyword } = filter
  const conditions = [
    visibleSubAccounts(actor),
    ...(userId ? [Prisma.sql`t.user_id = ${userId}`] : []),
    ...(productNo ? [Prisma.sql`p.product_no = ${productNo}`] : []),
    ...(status ? [Prisma.sql`s.status = ${status}`] : []),
    ...(keyword
      ? [Prisma.sql`(${contains('s.username', keyword)} OR ${contains('s.remark', keyword)})`]
      : []),
  ]
  const found = Prisma.join(conditions, ' AND ')
  const [row] = await selectJson<{ total: number; items: SubAccount[] }>(
    db.read,
    Prisma.sql`SELECT json_object(
        'total', (SELECT count(*) FROM ${found}),
        'items', (SELECT json_group_array(json(record)) FROM (
                    SELECT ${subAccountJson(actor)} AS record FROM ${found}
                    ORDER BY s.id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}))) AS json`,
  )
  return { items: row?.items ?? [], total: row?.total ?? 0, page, pageSize }
}

/**
 * One sub-account.
 *
 * @param id undefined for what cannot be an id
 * @throws sub_account_not_found
 */
export function getSubAccount({ db }: CoreDeps, actor: Actor, id: number | undefined): Promise<SubAccount> {
  return readSubAccount(db.read, actor, id)
}
