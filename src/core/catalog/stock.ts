import { Prisma } from '../../generated/prisma/client.ts'
import { type Readable, selectJson, type Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'

/** Which free proxies of a product an order wants. */
export interface StockSelection {
  readonly productId: number
  readonly count: number
  readonly countryCode?: string | undefined
  readonly cityCode?: string | undefined
  /** Country, state or city code. */
  readonly regionCode?: string | undefined
  /** How many from which range; sums to `count`. */
  readonly cidrBlocks?: readonly { readonly cidr: string; readonly count: number }[] | undefined
  /** These addresses, and others up to `count`. */
  readonly assignedIps?: readonly string[] | undefined
}

/** A proxy of the stock. */
export interface StockProxy {
  readonly stockId: number
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly cidr: string
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
}

/** SQL: the range that a proxy is sold as; its own address where the stock names none. Needs `s` = stock_ips. */
export const IP_RANGE = Prisma.raw("iif(s.cidr = '', s.ip || iif(instr(s.ip, ':'), '/128', '/32'), s.cidr)")

/** SQL condition: the proxy is for sale. Needs `s` = stock_ips. */
export const FREE = Prisma.raw('s.order_id IS NULL AND s.disabled = 0')

/** SQL condition: the location is one that the selection allows. Needs `l` = locations. */
export function inPlace(place: Pick<StockSelection, 'countryCode' | 'cityCode' | 'regionCode'>): Prisma.Sql {
  const conditions = [
    ...(place.countryCode ? [Prisma.sql`l.country_code = ${place.countryCode}`] : []),
    ...(place.cityCode ? [Prisma.sql`l.city_code = ${place.cityCode}`] : []),
    ...(place.regionCode ? [Prisma.sql`${place.regionCode} IN (l.country_code, l.state, l.city_code)`] : []),
  ]
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`1`
}

/**
 * Those of some ranges in which a product never had a proxy in this place, sold ones included; none where the product does
 * not come from the stock.
 */
export async function unknownRanges(
  db: Readable,
  productId: number,
  place: Pick<StockSelection, 'countryCode' | 'cityCode' | 'regionCode'>,
  ranges: readonly string[],
): Promise<string[]> {
  if (ranges.length === 0) return []
  const stocked = (condition: Prisma.Sql) => Prisma.sql`EXISTS (
    SELECT 1 FROM stock_ips s JOIN locations l ON l.id = s.location_id WHERE l.product_id = ${productId} AND ${condition})`
  const single = Prisma.sql`replace(replace(range.value, '/128', ''), '/32', '')`
  return selectJson<string>(
    db,
    Prisma.sql`SELECT json_quote(range.value) AS json FROM json_each(${JSON.stringify(ranges)}) range
      WHERE ${stocked(Prisma.sql`1`)} AND NOT ${stocked(Prisma.sql`s.cidr = range.value AND ${inPlace(place)}`)}
        AND NOT ${stocked(Prisma.sql`s.ip = ${single} AND ${IP_RANGE} = range.value AND ${inPlace(place)}`)}`,
  )
}

/**
 * Takes free proxies for an order in the open transaction. A proxy that has an order is never free again for another,
 * so none is sold twice.
 *
 * @throws out_of_stock, assigned_ip_unavailable
 */
export async function reserveStock(tx: Tx, orderId: number, wanted: StockSelection): Promise<void> {
  let open = wanted.count
  const assigned = wanted.assignedIps ?? []
  if (assigned.length > 0) {
    const these = Prisma.sql`s.ip IN (SELECT value FROM json_each(${JSON.stringify(assigned)}))`
    const taken = await take(tx, orderId, wanted, these, open, 'one per address')
    if (taken < assigned.length) throw new ServiceError('assigned_ip_unavailable')
    open -= taken
  }
  for (const { cidr, count } of wanted.cidrBlocks ?? []) {
    const taken = await take(tx, orderId, wanted, Prisma.sql`${IP_RANGE} = ${cidr}`, count)
    if (taken < count)
      throw new ServiceError('out_of_stock', { data: { cidr, requested: count, available: taken } })
    open -= taken
  }
  if (open === 0) return
  const taken = await take(tx, orderId, wanted, Prisma.sql`1`, open)
  if (taken < open) {
    throw new ServiceError('out_of_stock', {
      data: { requested: wanted.count, available: wanted.count - open + taken },
    })
  }
}

/** @param seats a shared address has several seats, of which an order that names the address means one */
function take(
  tx: Tx,
  orderId: number,
  wanted: StockSelection,
  which: Prisma.Sql,
  count: number,
  seats: 'all' | 'one per address' = 'all',
): Promise<number> {
  const [id, grouping] =
    seats === 'all' ? [Prisma.sql`s.id`, Prisma.empty] : [Prisma.sql`min(s.id)`, Prisma.sql`GROUP BY s.ip`]
  return tx.$executeRaw`
    UPDATE stock_ips SET order_id = ${orderId} WHERE id IN (
      SELECT ${id} FROM locations l JOIN stock_ips s ON s.location_id = l.id AND ${FREE}
      WHERE l.product_id = ${wanted.productId} AND ${inPlace(wanted)} AND ${which}
      ${grouping} LIMIT ${count})`
}

/** The proxies that orders took and that can still be delivered (the operator may have disabled some meanwhile). */
export async function reservedStock(
  db: Readable,
  orderIds: readonly number[],
): Promise<Map<number, StockProxy[]>> {
  const orders = await selectJson<{ orderId: number; stock: StockProxy[] }>(
    db,
    Prisma.sql`SELECT json_object('orderId', o.value, 'stock', (
        SELECT json_group_array(json_object('stockId', s.id, 'ip', s.ip, 'port', s.port, 'username', s.username,
                 'password', s.password, 'cidr', s.cidr, 'countryCode', l.country_code, 'state', l.state, 'cityCode', l.city_code))
        FROM (SELECT * FROM stock_ips WHERE order_id = o.value AND disabled = 0 ORDER BY id) s
        JOIN locations l ON l.id = s.location_id)) AS json
      FROM json_each(${JSON.stringify(orderIds)}) o`,
  )
  return new Map(orders.map(({ orderId, stock }) => [orderId, stock]))
}

/** Gives back what an order took and was not delivered, in the transaction that completes the order. */
export async function releaseUndelivered(tx: Tx, orderId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE stock_ips SET order_id = NULL WHERE order_id = ${orderId} AND NOT EXISTS (
      SELECT 1 FROM instances i WHERE i.order_id = ${orderId} AND i.provider_instance_no = CAST(stock_ips.id AS TEXT))`
}

/**
 * Puts proxies that were delivered back on sale, in the transaction in which their instances cease. What an instance in use
 * or in its grace holds stays where it is.
 */
export async function returnToStock(
  tx: Tx,
  proxies: readonly { readonly orderId: number; readonly providerInstanceNo: string }[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE stock_ips SET order_id = NULL FROM json_each(${JSON.stringify(proxies)}) proxy
    WHERE stock_ips.id = CAST(proxy.value ->> 'providerInstanceNo' AS INTEGER) AND stock_ips.order_id = proxy.value ->> 'orderId'
      AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.order_id = stock_ips.order_id
                        AND i.provider_instance_no = proxy.value ->> 'providerInstanceNo' AND i.released_at IS NULL)`
}
