import { randomInt } from 'node:crypto'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { InvalidInput } from '../errors.ts'
import { randomText } from '../ids.ts'
import { type Bytes, MAX_BYTES } from './bytes.ts'

/**
 * Adds bought traffic to the account of a user in a product, in the transaction of the order. The first purchase makes the
 * account and its gateway credential (rules 6.2).
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

/** Nothing when it would be too much. */
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

/**
 * A name for the gateway. It has no hyphen, which begins a parameter in the grammar of credentials, and none that a
 * person chooses is like it (see `SubAccountName`).
 */
export function newGatewayUsername(prefix: 'u' | 's'): string {
  return `${prefix}0${randomText(12).toLowerCase()}`
}

const PASSWORD_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** 20 characters that need no escaping anywhere and are not mistaken for each other. */
export function newGatewayPassword(): string {
  return Array.from({ length: 20 }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join('')
}
