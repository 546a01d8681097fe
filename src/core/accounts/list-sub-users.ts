import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, requireAgent } from '../access.ts'
import { selectJson } from '../database/database.ts'
import { contains } from '../database/like.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { type SubUser, subUserJson, USER_STATUSES } from './sub-user.ts'
import { usernameKey } from './usernames.ts'

export const SubUserFilter = z.object({
  ...paging,
  /** Part of the username, e-mail address or phone number. */
  search: z.string().max(100).optional(),
  /** `deleted` shows deleted accounts whatever `includeDeleted` says. */
  status: z.enum(USER_STATUSES).optional(),
  includeDeleted: z.boolean().default(false),
})

/**
 * The direct sub-users of an agent, newest first (rules 2.9).
 *
 * @throws agent_required, validation_error
 */
export async function listSubUsers(
  { db }: CoreDeps,
  actor: Actor,
  input: z.input<typeof SubUserFilter> = {},
): Promise<Page<SubUser>> {
  requireAgent(actor)
  const { page, pageSize, search = '', status, includeDeleted } = parseInput(SubUserFilter, input)
  const part = search.trim()
  const conditions = Prisma.join(
    [
      Prisma.sql`a.agent_id = ${actor.id} AND a.role = 'user'`,
      ...(status ? [Prisma.sql`a.status = ${status}`] : []),
      ...(status || includeDeleted ? [] : [Prisma.sql`a.status <> 'deleted'`]),
      ...(part === ''
        ? []
        : [
            Prisma.sql`(${contains('a.username_key', usernameKey(part))} OR ${contains('a.email', part)}
                        OR ${contains('a.phone', part)})`,
          ]),
    ],
    ' AND ',
  )
  // One statement for count and rows: they belong to the same moment.
  const [row] = await selectJson<{ total: number; items: SubUser[] }>(
    db.read,
    Prisma.sql`SELECT json_object(
        'total', (SELECT count(*) FROM accounts a WHERE ${conditions}),
        'items', (SELECT json_group_array(${subUserJson}) FROM (
                    SELECT * FROM accounts a WHERE ${conditions} ORDER BY id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) a)
      ) AS json`,
  )
  return { items: row?.items ?? [], total: row?.total ?? 0, page, pageSize }
}
