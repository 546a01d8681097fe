import { z } from 'zod'
import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Actor, requireAgent } from '../access/actor.ts'
import { allOf, anyOf, contains, rowsAsJson } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { UpdatedSince } from '../updated-since.ts'
import { changedAt, type SubUser, subUsers, USER_STATUSES } from './sub-user.ts'
import { usernameKey } from '../usernames.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const SubUserFilter = z.object({
  ...paging,
  /** Part of the username, e-mail address or phone number. */
  search: z.string().max(100).optional(),
  /** `deleted` shows deleted accounts whatever `includeDeleted` says. */
  status: z.enum(USER_STATUSES).optional(),
  includeDeleted: z.boolean().default(false),
  updatedSince: UpdatedSince.optional(),
})

/**
 * Lists the direct sub-users of an agent, newest first (rules 2.9).
 *
 * @throws agent_required, validation_error
 */
export async function listSubUsers(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof SubUserFilter> = {},
): Promise<Page<SubUser>> {
  requireAgent(actor)
  const { page, pageSize, ...filter } = parseInput(SubUserFilter, input)
  const wanted = matching(actor, filter)
  const { $kysely } = db.read
  const items = subUsers($kysely)
    .where(wanted)
    .orderBy('a.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  // One statement for count and rows, so that they belong to the same moment.
  const found = await $kysely
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('accounts as a').select(fn.countAll<number>().as('total')).where(wanted).as('total'),
      rowsAsJson(items, 'id desc', { activated: true }).as('items'),
    ])
    .executeTakeFirstOrThrow()
  return { items: found.items, total: found.total ?? 0, page, pageSize }
}

/** Returns the condition of the filter, on accounts as `a`. */
export function matching(
  { id }: Actor,
  {
    search = '',
    status,
    includeDeleted,
    updatedSince,
  }: Partial<Pick<z.output<typeof SubUserFilter>, 'search' | 'status' | 'includeDeleted' | 'updatedSince'>>,
) {
  const { eb, ref } = expressionBuilder<DB & { a: DB['accounts'] }, 'a'>()
  const part = search.trim()
  return allOf([
    eb('a.agentId', '=', id),
    eb('a.role', '=', 'user'),
    ...(status ? [eb('a.status', '=', status)] : []),
    ...(status || includeDeleted ? [] : [eb('a.status', '<>', 'deleted')]),
    ...(updatedSince ? [eb(changedAt(ref('a.id'), ref('a.updatedAt')), '>=', updatedSince)] : []),
    ...(part === ''
      ? []
      : [
          anyOf([
            contains(ref('a.usernameKey'), usernameKey(part)),
            contains(ref('a.email'), part),
            contains(ref('a.phone'), part),
          ]),
        ]),
  ])
}
