import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { InvalidInput } from '../errors.ts'
import { type Bytes, MAX_BYTES } from '../bytes.ts'
import { newGatewayPassword, newGatewayUsername } from '../gateway-login.ts'

/**
 * Adds bought traffic to a user's traffic account for a product, in the transaction of the order. The first purchase creates the
 * account and its gateway login (rules 6.2).
 *
 * @throws validation_error when the account would hold more than can be stored
 */
export async function creditTraffic(
  tx: Tx,
  now: Date,
  { userId, productId, bytes }: { userId: number; productId: number; bytes: Bytes },
): Promise<void> {
  const login = { username: newGatewayUsername('u'), password: newGatewayPassword() }
  const credited = await addTraffic(tx, { userId, productId, bytes, ...login, now })
  if (credited.length === 0) throw InvalidInput.of('trafficAmount', 'too_much_traffic')
}

interface Credit {
  readonly userId: number
  readonly productId: number
  readonly bytes: Bytes
  readonly username: string
  readonly password: string
  readonly now: Date
}

/** Returns no row when the total would exceed {@link MAX_BYTES}. */
const addTraffic = compiled<Credit>()((db, { userId, productId, bytes, username, password, now }) =>
  db
    .insertInto('traffic')
    .values({ userId, productId, totalBytes: bytes, username, password, createdAt: now, updatedAt: now })
    .onConflict((bought) =>
      bought
        .columns(['userId', 'productId'])
        .doUpdateSet(({ eb, ref }) => ({
          totalBytes: eb('traffic.totalBytes', '+', ref('excluded.totalBytes')),
          updatedAt: ref('excluded.updatedAt'),
        }))
        .where(({ eb, ref }) =>
          eb(eb('traffic.totalBytes', '+', ref('excluded.totalBytes')), '<=', MAX_BYTES),
        ),
    )
    .returning('id'),
)
