import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { FREE, inPlace, type StockSelection } from './stock.ts'

export interface AddressFilter extends Pick<StockSelection, 'countryCode' | 'cityCode'> {
  readonly productNo: string
}

/**
 * Which of some addresses a product has free in a place, so that an order may name them (rules 5.4).
 *
 * @param addresses in the spelling in which they are stored: that of `ipAddress`
 */
export async function freeAddresses(
  { db }: CoreDeps,
  { productNo, ...place }: AddressFilter,
  addresses: readonly string[],
): Promise<Set<string>> {
  const free = await selectJson<string>(
    db.read,
    Prisma.sql`SELECT DISTINCT json_quote(s.ip) AS json
      FROM json_each(${JSON.stringify(addresses)}) wanted JOIN stock_ips s ON s.ip = wanted.value
      JOIN locations l ON l.id = s.location_id JOIN products p ON p.id = l.product_id
      WHERE p.product_no = ${productNo} AND ${FREE} AND ${inPlace(place)}`,
  )
  return new Set(free)
}
