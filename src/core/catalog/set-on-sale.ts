import { z } from 'zod'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { ipAddress } from '../ip-address.ts'

const AddressesInput = z.object({ ips: z.array(ipAddress()).min(1).max(10_000), onSale: z.boolean() })
export type AddressesInput = z.input<typeof AddressesInput>

export interface SetOnSale {
  /** Proxies on these addresses; a shared address has several. */
  readonly proxies: number
  /** Of them, those that an order holds: they stay with it, and what was decided counts when they come back. */
  readonly held: number
}

/**
 * Takes addresses of the stock off sale, or puts them on sale again. Nobody loses a proxy that was delivered; one that an order
 * has reserved and not got yet is not delivered any more, and refunded.
 *
 * @throws validation_error, with the addresses that are not in the stock; nothing is changed then
 */
export function setOnSale(deps: CoreDeps, input: AddressesInput): Promise<SetOnSale> {
  const { ips, onSale } = parseInput(AddressesInput, input)
  const json = JSON.stringify([...new Set(ips)])
  return deps.db.write(async (tx) => {
    const unknown = await tx.$queryRaw<{ ip: string }[]>`
      SELECT value AS ip FROM json_each(${json}) WHERE NOT EXISTS (SELECT 1 FROM stock_ips WHERE ip = value)`
    if (unknown.length > 0)
      throw new InvalidInput(unknown.flatMap(({ ip }) => InvalidInput.of(ip, 'not_in_the_stock').issues))
    const proxies = await tx.$queryRaw<{ held: 0 | 1 }[]>`
      UPDATE stock_ips SET disabled = ${!onSale} WHERE ip IN (SELECT value FROM json_each(${json}))
      RETURNING order_id IS NOT NULL AS held`
    return { proxies: proxies.length, held: proxies.filter(({ held }) => held).length }
  })
}
