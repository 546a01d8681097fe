import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { addressOrProxy } from '../ip-address.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Addresses of the stock, each with all its proxies, or single proxies on them. */
export const Addresses = z.array(addressOrProxy).min(1).max(10_000)
const AddressesInput = z.object({ ips: Addresses, onSale: z.boolean() })
type AddressesInput = z.input<typeof AddressesInput>

interface SetOnSale {
  /** Number of proxies on these addresses; an address may have several. */
  readonly proxies: number
  /** Of them, those that an order holds: they stay with it, and the change takes effect when they return to the stock. */
  readonly held: number
  /** Of them, those that wait for other credentials; they are not sold before they have them. */
  readonly resting: number
}

/** Makes a table `named` with one row per {@link addressOrProxy}; `nth` is its index. */
export function namedRows(proxies: readonly z.output<typeof addressOrProxy>[]) {
  const rows = proxies.map(({ ip, port }, nth) => ({ nth, ip, ...(port === null ? {} : { port }) }))
  return rowsOf(rows, { nth: 'integer', ip: 'text', port: 'integer' }, 'named')
}

/** Condition: the proxy `s` matches a row of {@link namedRows}. */
export function isNamed({
  eb,
  and,
  or,
}: ExpressionBuilder<{ s: DB['stockIps']; named: { ip: string; port: number } }, 's' | 'named'>) {
  const port = or([eb('named.port', 'is', null), eb('s.port', '=', eb.ref('named.port'))])
  return and([eb('s.ip', '=', eb.ref('named.ip')), port])
}

/**
 * Returns the query for the ids of named proxies.
 *
 * @param given the names as they were given
 * @throws validation_error with those that are not in the stock
 */
export async function namedProxies(tx: Tx, ips: z.output<typeof Addresses>, given: readonly string[]) {
  const named = namedRows(ips)
  const unknown = await tx.$kysely
    .selectFrom(named)
    .select('named.nth')
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('stockIps as s').select('s.id').where(isNamed))),
    )
    .orderBy('named.nth')
    .execute()
  if (unknown.length > 0)
    throw new InvalidInput(
      unknown.flatMap(({ nth }) => InvalidInput.of(given[nth] ?? '', 'not_in_the_stock').issues),
    )
  return tx.$kysely
    .selectFrom(named)
    .innerJoin('stockIps as s', (on) => on.on(isNamed))
    .select('s.id')
}

/**
 * Takes addresses of the stock, or single proxies on them (`IP:PORT`), off sale, or puts them on sale again. A delivered proxy stays
 * with its user; one that is reserved for an order but not delivered yet is refunded instead.
 *
 * @throws validation_error, with the addresses that are not in the stock; nothing is changed then
 */
export function setOnSale(deps: Essentials, input: AddressesInput): Promise<SetOnSale> {
  const { ips, onSale } = parseInput(AddressesInput, input)
  return deps.db.write(async (tx) => {
    const proxies = await tx.$kysely
      .updateTable('stockIps')
      .set({ disabled: !onSale })
      .where('id', 'in', await namedProxies(tx, ips, input.ips))
      .returning(['orderId', 'resting'])
      .execute()
    return {
      proxies: proxies.length,
      held: proxies.filter(({ orderId }) => orderId !== null).length,
      resting: proxies.filter(({ resting }) => resting).length,
    }
  })
}
