import type { TrafficPool } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import type { Queries, Queryable } from '../database/queries.ts'
import type { Bytes } from '../bytes.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'

/** Maximum number of changes on a page of the feed (rules 12.2). */
export const CHANGES_PER_PAGE = 1_000
/** What a gateway is told of a change; the fields of accounts are null for products and exits. */
export type Change = Awaited<ReturnType<typeof readChanges>>[number]

interface Since {
  readonly revision: number
  readonly gatewayId: string
  /** Time before which flushes are void. */
  readonly flushesSince: string
}

/**
 * Reads the changes after a revision, oldest first, with the present state of what they changed, and the number of the last counted
 * batch of the gateway from the same snapshot: the remaining bytes are exact only together with it (rules 12.6).
 */
export const readChanges = compiled<Since>()((db, { revision, gatewayId, flushesSince }) =>
  changes(db)
    .select(['c.kind', 'm.id as mainId', 't.password as mainPassword', 's.password as subPassword'])
    .select(['s.status as subStatus', 'a.status as ownerStatus', 'p.productNo', 't.keepHosts as targets'])
    .select(({ ref }) => ref('p.pool').$castTo<TrafficPool>().as('pool'))
    .select(({ ref, selectFrom }) => [
      selectFrom('gatewayFlushes as f')
        .select(({ fn }) => fn.max('f.id').as('id'))
        .where('f.username', '=', ref('c.name'))
        .where('f.createdAt', '>', flushesSince)
        .$asScalar()
        .as('flush'),
      selectFrom('gateways as g').select('g.sequence').where('g.gatewayId', '=', gatewayId).as('sequence'),
    ])
    .where('c.id', '>', revision)
    .orderBy('c.id')
    .limit(CHANGES_PER_PAGE + 1),
)

/** Reads the remaining bytes and the revisions of credentials; those that do not exist are left out. */
export function readRemaining(
  db: Queryable,
  usernames: readonly string[],
): Promise<{ username: string; remaining: Bytes; revision: number }[]> {
  return findRemaining(db, { usernames })
}

const findRemaining = compiled<{ usernames: readonly string[] }>()((db, { usernames }) =>
  changes(db)
    .where('c.kind', '=', 'account')
    .where('c.name', 'in', listOf(usernames))
    .where('t.id', 'is not', null),
)

/** Selects changes `c`, with the main account `m` or the sub-account `s` of the name, its traffic `t`, owner `a` and product `p`. */
function changes(db: Queries) {
  return db
    .selectFrom('gatewayChanges as c')
    .leftJoin('traffic as m', 'm.username', 'c.name')
    .leftJoin('subAccounts as s', 's.username', 'c.name')
    .leftJoin('traffic as t', (on) =>
      on.on(({ eb, fn, ref }) => eb('t.id', '=', fn.coalesce(ref('m.id'), ref('s.trafficId')))),
    )
    .leftJoin('accounts as a', 'a.id', 't.userId')
    .leftJoin('products as p', 'p.id', 't.productId')
    .select(['c.name as username', 'c.id as revision'])
    .select(({ eb, ref }) =>
      eb
        .case()
        .when('s.id', 'is', null)
        .then(bytesLeft())
        .when('s.status', '=', 'deleted')
        .then(0)
        .else(eb('s.limitBytes', '-', ref('s.usedBytes')))
        .end()
        .$castTo<number>()
        .as('remaining'),
    )
}
