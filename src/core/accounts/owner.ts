import type { Actor } from '../access/actor.ts'
import { compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { usernameKey } from '../usernames.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Names an account: by itself, or as the owner of an order or a proxy. */
type Owned =
  | { readonly username: string }
  | { readonly id: number }
  | { readonly orderNo: string }
  | { readonly instanceNo: string }

/**
 * Returns the account in whose place the operator looks or acts, as a `user`: it sees only its own records, not those of an agent's
 * sub-users. Deleted accounts are found, too.
 *
 * @throws user_not_found, order_not_found, instance_not_found
 */
export async function ownerOf(db: Readable, owned: Owned): Promise<Actor> {
  const wanted = 'username' in owned ? { key: usernameKey(owned.username.trim()) } : owned
  const [owner] = await findOwner(db, {}, wanted)
  if (owner) return { ...owner, role: 'user' }
  if ('orderNo' in owned) throw new ServiceError('order_not_found')
  if ('instanceNo' in owned)
    throw new ServiceError('instance_not_found', { data: { instance_no: owned.instanceNo } })
  throw new ServiceError('user_not_found')
}

/** Turns a list of an account's own records into one of the account that the operator names. */
export function ofCustomer<Args extends unknown[], Result>(
  list: (deps: Essentials, actor: Actor, ...args: Args) => Promise<Result>,
) {
  return async (deps: Essentials, username: string, ...args: Args): Promise<Result> =>
    list(deps, await ownerOf(deps.db.read, { username }), ...args)
}

interface Wanted {
  readonly key?: string
  readonly id?: number
  readonly orderNo?: string
  readonly instanceNo?: string
}

const findOwner = compiledByShape<object, Wanted>()((db, _shape, { key, id, orderNo, instanceNo }) =>
  db
    .selectFrom('accounts as a')
    .leftJoin('accounts as g', 'g.id', 'a.agentId')
    .select(['a.id', 'a.username', 'a.agentId'])
    .select(({ fn }) => fn.coalesce('a.level', 'g.level').as('level'))
    .where(({ eb, and, selectFrom }) =>
      and([
        ...(key ? [eb('a.usernameKey', '=', key)] : []),
        ...(id ? [eb('a.id', '=', id)] : []),
        ...(orderNo
          ? [
              eb(
                'a.id',
                'in',
                selectFrom('staticOrders')
                  .select('userId')
                  .where('orderNo', '=', orderNo)
                  .unionAll(selectFrom('dynamicOrders').select('userId').where('orderNo', '=', orderNo)),
              ),
            ]
          : []),
        ...(instanceNo
          ? [eb('a.id', 'in', selectFrom('instances').select('userId').where('instanceNo', '=', instanceNo))]
          : []),
      ]),
    ),
)
