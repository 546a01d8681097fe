import { randomInt } from 'node:crypto'
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
  const credited = await tx.$executeRaw`
    INSERT INTO traffic (user_id, product_id, total_bytes, username, password, created_at, updated_at)
    VALUES (${userId}, ${productId}, ${bytes}, ${newGatewayUsername('u')}, ${newGatewayPassword()}, ${now}, ${now})
    ON CONFLICT (user_id, product_id) DO UPDATE SET total_bytes = total_bytes + excluded.total_bytes, updated_at = excluded.updated_at
    WHERE total_bytes + excluded.total_bytes <= ${MAX_BYTES}`
  if (credited === 0) throw InvalidInput.of('trafficAmount', 'too_much_traffic')
}

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
