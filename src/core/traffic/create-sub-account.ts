import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, targetUser } from '../access.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { once } from '../once.ts'
import { RequestKey } from '../request-key.ts'
import { type Bytes, bytesOf, fromGigabytes } from './bytes.ts'
import { newGatewayPassword, newGatewayUsername } from './credit-traffic.ts'
import { moveTraffic } from './move-traffic.ts'
import {
  GatewayPassword,
  readSubAccount,
  Remark,
  type SubAccount,
  SubAccountName,
  trafficNotAvailable,
} from './sub-account.ts'

export const NewSubAccount = z.object({
  productNo: z.string().min(1).max(64),
  /** Whose traffic; the caller's unless said otherwise. */
  userId: z.int().positive().nullish(),
  /** Made up when missing. */
  username: SubAccountName.nullish(),
  /** Made up when missing. */
  password: GatewayPassword.nullish(),
  /** GB to begin with. */
  amount: z
    .number()
    .refine((value) => value >= 0 && fromGigabytes(value) !== undefined, { error: 'not_a_traffic_amount' })
    .default(0),
  remark: Remark.nullish(),
})

/** With a key, a repetition creates nothing and is answered as the first time was. */
export const SubAccountCreation = NewSubAccount.extend({ requestKey: RequestKey.nullish() })

/**
 * Makes a sub-account of a traffic account, with a part of its traffic (rules 6.9, 6.10).
 *
 * @throws product_not_found, traffic_not_available (also when the product was never bought), username_taken, idempotency_conflict, validation_error,
 *   and what targeting refuses
 */
export async function createSubAccount(
  deps: CoreDeps,
  actor: Actor,
  input: z.input<typeof SubAccountCreation>,
): Promise<SubAccount & { readonly replayed: boolean }> {
  const { requestKey, ...fields } = parseInput(SubAccountCreation, input)
  const { productNo, userId, amount, ...wanted } = fields
  const bytes = bytesOf(amount)
  return once(deps, actor, { key: requestKey, kind: 'create_sub_account', input: fields }, async (tx) => {
    const now = deps.clock.now()
    const owner = await targetUser(tx, actor, userId ?? actor.id)
    const trafficId = await mainAccount(tx, owner.id, productNo, bytes)
    const username = wanted.username ?? newGatewayUsername('s')
    // One name, one credential: main accounts have theirs in another table.
    const [created] = await tx.$queryRaw<{ id: number }[]>`
      INSERT INTO sub_accounts (traffic_id, username, password, remark, created_at, updated_at)
      SELECT ${trafficId}, ${username}, ${wanted.password ?? newGatewayPassword()}, ${wanted.remark ?? ''}, ${now}, ${now}
      WHERE NOT EXISTS (SELECT 1 FROM traffic WHERE username = ${username})
      ON CONFLICT (username) DO NOTHING RETURNING id`
    if (!created) throw new ServiceError('username_taken')
    if (bytes > 0) await moveTraffic(tx, now, actor, { subAccountId: created.id, bytes, remark: '' })
    return readSubAccount(tx, actor, created.id)
  })
}

async function mainAccount(tx: Tx, userId: number, productNo: string, wanted: Bytes): Promise<number> {
  const [product] = await selectJson<{ trafficId: number | null }>(
    tx,
    Prisma.sql`SELECT json_object('trafficId', t.id) AS json
               FROM products p LEFT JOIN traffic t ON t.product_id = p.id AND t.user_id = ${userId}
               WHERE p.product_no = ${productNo} AND p.pool IS NOT NULL`,
  )
  if (!product) throw new ServiceError('product_not_found')
  if (product.trafficId === null) throw trafficNotAvailable(wanted, 0)
  return product.trafficId
}
