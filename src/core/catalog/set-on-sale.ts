import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { rowsOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { addressOrProxy } from '../ip-address.ts'

const AddressesInput = z.object({ ips: z.array(addressOrProxy).min(1).max(10_000), onSale: z.boolean() })
type AddressesInput = z.input<typeof AddressesInput>

interface SetOnSale {
  /** Proxies on these addresses; one may have several. */
  readonly proxies: number
  /** Of them, those that an order holds: they stay with it, and the change takes effect when they return to the stock. */
  readonly held: number
  /** Of them, those that wait for other credentials; they are not sold before they have them. */
  readonly resting: number
}

/** A table `named` with one row per {@link addressOrProxy}; `nth` is its index. */
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
 * Takes addresses of the stock, or single proxies on them (`IP:PORT`), off sale, or puts them on sale again. A delivered proxy stays
 * with its user; one that is reserved for an order but not delivered yet is refunded instead.
 *
 * @throws validation_error, with the addresses that are not in the stock; nothing is changed then
 */
export function setOnSale(deps: CoreDeps, input: AddressesInput): Promise<SetOnSale> {
  const { ips, onSale } = parseInput(AddressesInput, input)
  const named = namedRows(ips)
  return deps.db.write(async (tx) => {
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
        unknown.flatMap(({ nth }) => InvalidInput.of(input.ips[nth] ?? '', 'not_in_the_stock').issues),
      )
    const proxies = await tx.$kysely
      .updateTable('stockIps')
      .set({ disabled: !onSale })
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom(named)
          .innerJoin('stockIps as s', (on) => on.on(isNamed))
          .select('s.id'),
      )
      .returning(['orderId', 'resting'])
      .execute()
    return {
      proxies: proxies.length,
      held: proxies.filter(({ orderId }) => orderId !== null).length,
      resting: proxies.filter(({ resting }) => resting).length,
    }
  })
}
