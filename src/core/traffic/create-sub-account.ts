import { z } from 'zod'
import { type Actor, targetUser } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { withFlushed } from './flush.ts'
import { once } from '../requests/once.ts'
import { RequestKey } from '../requests/request-key.ts'
import { type Bytes, bytesOf, fromGigabytes } from '../bytes.ts'
import { moveTraffic } from './move-traffic.ts'
import {
  GatewayPassword,
  readSubAccount,
  Remark,
  type SubAccount,
  SubAccountName,
  trafficNotAvailable,
} from './sub-account.ts'
import { newGatewayPassword, newGatewayUsername } from '../gateway-login.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const NewSubAccount = z.object({
  productNo: z.string().min(1).max(64),
  /** The owner of the traffic; by default the caller. */
  userId: z.int().positive().nullish(),
  /** Generated when missing. */
  username: SubAccountName.nullish(),
  /** Generated when missing. */
  password: GatewayPassword.nullish(),
  /** Traffic in GB that is moved to the sub-account at once. */
  amount: z
    .number()
    .refine((value) => value >= 0 && fromGigabytes(value) !== undefined, { error: 'not_a_traffic_amount' })
    .default(0),
  remark: Remark.nullish(),
})

/** With a key, a repeated request creates nothing and gets the first answer again. */
export const SubAccountCreation = NewSubAccount.extend({ requestKey: RequestKey.nullish() })

/**
 * Creates a sub-account of a main account, with a part of its traffic (rules 6.9, 6.10).
 *
 * @throws product_not_found, traffic_not_available (also when the product was never bought), username_taken, idempotency_conflict,
 *   validation_error, and what targeting refuses
 */
export async function createSubAccount(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof SubAccountCreation>,
): Promise<SubAccount & { readonly replayed: boolean }> {
  const { requestKey, ...fields } = parseInput(SubAccountCreation, input)
  const { productNo, userId, amount, ...wanted } = fields
  const bytes = bytesOf(amount)
  const keyed = { key: requestKey, kind: 'create_sub_account', input: fields }
  const create = () =>
    once(deps, actor, keyed, async (tx) => {
      const now = deps.clock.now()
      const owner = await targetUser(tx, actor, userId ?? actor.id)
      const trafficId = await mainAccount(tx, owner.id, productNo, bytes)
      const username = wanted.username ?? newGatewayUsername('s')
      const password = wanted.password ?? newGatewayPassword()
      const [created] = await insertSubAccount(tx, {
        trafficId,
        username,
        password,
        remark: wanted.remark ?? '',
        now,
      })
      if (!created) throw new ServiceError('username_taken')
      if (bytes > 0) await moveTraffic(tx, now, actor, { subAccountId: created.id, bytes, remark: '' })
      return readSubAccount(tx, actor, created.id)
    })
  return bytes > 0 ? withFlushed(deps, await giverOf(deps.db.read, actor, fields), create) : create()
}

/** Returns the gateway username of the main account that gives traffic; undefined when there is none, which `create` refuses. */
async function giverOf(
  db: Readable,
  actor: Actor,
  { userId, productNo }: Pick<z.output<typeof NewSubAccount>, 'userId' | 'productNo'>,
): Promise<string | undefined> {
  const owner = await targetUser(db, actor, userId ?? actor.id).catch(() => undefined)
  const [main] = owner ? await findMainAccount(db, { userId: owner.id, productNo }) : []
  return main?.username ?? undefined
}

interface CreatedSubAccount {
  readonly trafficId: number
  readonly username: string
  readonly password: string
  readonly remark: string
  readonly now: Date
}

/** Returns no row when the name is taken, by a sub-account or by a main account, whose names are in another table. */
const insertSubAccount = compiled<CreatedSubAccount>()((db, { trafficId, username, password, remark, now }) =>
  db
    .insertInto('subAccounts')
    .columns(['trafficId', 'username', 'password', 'remark', 'createdAt', 'updatedAt'])
    .expression(
      db
        .selectNoFrom([
          trafficId.as('trafficId'),
          username.as('username'),
          password.as('password'),
          remark.as('remark'),
          now.as('createdAt'),
          now.as('updatedAt'),
        ])
        .where(({ exists, not, selectFrom }) =>
          not(exists(selectFrom('traffic').select('id').where('username', '=', username))),
        ),
    )
    .onConflict((taken) => taken.column('username').doNothing())
    .returning('id'),
)

async function mainAccount(tx: Tx, userId: number, productNo: string, wanted: Bytes): Promise<number> {
  const [product] = await findMainAccount(tx, { userId, productNo })
  if (!product) throw new ServiceError('product_not_found')
  if (product.trafficId === null) throw trafficNotAvailable(wanted, 0)
  return product.trafficId
}

const findMainAccount = compiled<{ userId: number; productNo: string }>()((db, { userId, productNo }) =>
  db
    .selectFrom('products as p')
    .leftJoin('traffic as t', (on) => on.onRef('t.productId', '=', 'p.id').on('t.userId', '=', userId))
    .select(['t.id as trafficId', 't.username'])
    .where('p.productNo', '=', productNo)
    .where('p.pool', 'is not', null),
)
