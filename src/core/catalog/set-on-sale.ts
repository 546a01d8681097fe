import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { addressOrProxy } from '../ip-address.ts'

const AddressesInput = z.object({ ips: z.array(addressOrProxy).min(1).max(10_000), onSale: z.boolean() })
export type AddressesInput = z.input<typeof AddressesInput>

export interface SetOnSale {
  /** Proxies on these addresses; one may have several. */
  readonly proxies: number
  /** Of them, those that an order holds: they stay with it, and what was decided counts when they come back. */
  readonly held: number
  /** Of them, those that wait for other credentials, and are not sold before they have them. */
  readonly resting: number
}

/** SQL condition: the proxy is one that `named` (json_each of {@link addressOrProxy}) means. Needs `s` = stock_ips. */
export const NAMED = Prisma.raw(
  `s.ip = named.value ->> 'ip' AND (named.value ->> 'port' IS NULL OR s.port = named.value ->> 'port')`,
)

/**
 * Takes addresses of the stock, or single proxies on them (`IP:PORT`), off sale, or puts them on sale again. Nobody loses a proxy
 * that was delivered; one that an order has reserved and not got yet is not delivered any more, and refunded.
 *
 * @throws validation_error, with the addresses that are not in the stock; nothing is changed then
 */
export function setOnSale(deps: CoreDeps, input: AddressesInput): Promise<SetOnSale> {
  const { ips, onSale } = parseInput(AddressesInput, input)
  const json = JSON.stringify(ips.map((named, index) => ({ ...named, text: input.ips[index] })))
  return deps.db.write(async (tx) => {
    const unknown = await tx.$queryRaw<{ text: string }[]>`
      SELECT value ->> 'text' AS text FROM json_each(${json}) named
      WHERE NOT EXISTS (SELECT 1 FROM stock_ips s WHERE ${NAMED})`
    if (unknown.length > 0)
      throw new InvalidInput(unknown.flatMap(({ text }) => InvalidInput.of(text, 'not_in_the_stock').issues))
    const proxies = await tx.$queryRaw<{ held: 0 | 1; resting: boolean }[]>`
      UPDATE stock_ips SET disabled = ${!onSale}
      WHERE id IN (SELECT s.id FROM json_each(${json}) named JOIN stock_ips s ON ${NAMED})
      RETURNING order_id IS NOT NULL AS held, resting`
    return {
      proxies: proxies.length,
      held: proxies.filter(({ held }) => held).length,
      resting: proxies.filter(({ resting }) => resting).length,
    }
  })
}
