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
export const FREE = Prisma.raw('s.order_id IS NULL AND s.disabled = 0 AND s.resting = 0')

/** SQL condition: the proxy waits for other credentials. Needs `s` = stock_ips. */
export const RESTING = Prisma.raw('s.resting = 1 AND s.disabled = 0')

/**
 * SQL condition: a customer has had the credentials of a line, `ip`, `username` and `password` of a JSON value.
 *
 * @param line SQL of the value; a constant of the code
 */
export const wereDelivered = (line: string) =>
  Prisma.raw(`EXISTS (SELECT 1 FROM instances i WHERE i.ip = ${line} ->> 'ip' AND i.username = ${line} ->> 'username'
                        AND i.password = ${line} ->> 'password')`)

/** What is said against such a line. */
export const DELIVERED_BEFORE =
  'has credentials that a customer has had: change them where you buy it, and then here'

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
export function reserveStock(tx: Tx, orderId: number, wanted: StockSelection): Promise<void> {
  return allot(
    wanted,
    orderId,
    (free) => tx.$executeRaw`UPDATE stock_ips SET order_id = ${orderId} WHERE id IN (${free})`,
  )
}

/**
 * Whether an order could take free proxies now; nothing is changed.
 *
 * @throws as {@link reserveStock}
 */
export function checkStock(db: Readable, wanted: StockSelection): Promise<void> {
  const seen: number[] = []
  return allot(
    wanted,
    0,
    async (free) => {
      const ids = await selectJson<number>(db, Prisma.sql`SELECT CAST(id AS TEXT) AS json FROM (${free})`)
      seen.push(...ids)
      return ids.length
    },
    () => seen,
  )
}

/**
 * How an order takes its proxies: named addresses first, then ranges, then any.
 *
 * @param turn which of several places is the first
 * @param take takes what the statement of ids finds, and tells how many these were
 * @param taken ids that are not free any more, although they look so
 */
async function allot(
  wanted: StockSelection,
  turn: number,
  take: (free: Prisma.Sql) => Promise<number>,
  taken: () => readonly number[] = () => [],
): Promise<void> {
  /** What a place lacks of its share, the others give. */
  const from = async (which: Prisma.Sql, count: number): Promise<number> => {
    const found = await take(spreadIds(wanted, Prisma.sql`${which} AND ${noneOf(taken())}`, count, turn))
    return found === 0 || found === count ? found : found + (await from(which, count - found))
  }
  let open = wanted.count
  const assigned = wanted.assignedIps ?? []
  if (assigned.length > 0) {
    const found = await take(namedIds(wanted, assigned))
    if (found < assigned.length) throw new ServiceError('assigned_ip_unavailable')
    open -= found
  }
  for (const { cidr, count } of wanted.cidrBlocks ?? []) {
    const found = await from(Prisma.sql`${IP_RANGE} = ${cidr}`, count)
    if (found < count)
      throw new ServiceError('out_of_stock', { data: { cidr, requested: count, available: found } })
    open -= found
  }
  if (open === 0) return
  const found = await from(Prisma.sql`1`, open)
  if (found < open) {
    throw new ServiceError('out_of_stock', {
      data: { requested: wanted.count, available: wanted.count - open + found },
    })
  }
}

function noneOf(ids: readonly number[]): Prisma.Sql {
  return ids.length > 0
    ? Prisma.sql`s.id NOT IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    : Prisma.sql`1`
}

/** SQL of the ids of free proxies on addresses that an order names. A shared address has several seats, of which it means one. */
function namedIds(wanted: StockSelection, ips: readonly string[]): Prisma.Sql {
  return Prisma.sql`SELECT min(s.id) AS id FROM locations l JOIN stock_ips s ON s.location_id = l.id AND ${FREE}
    WHERE l.product_id = ${wanted.productId} AND ${inPlace(wanted)}
      AND s.ip IN (SELECT value FROM json_each(${JSON.stringify(ips)}))
    GROUP BY s.ip LIMIT 0 + ${wanted.count}`
}

/**
 * SQL of the ids of free proxies: the same share from each place that the order allows, and within a place from one network after
 * the other, so that who knows one address does not know the next (rules 5.15).
 *
 * SQLite compiles a statement anew whenever a bare parameter of LIMIT changes, which takes longer than all the rest: hence 0 +.
 *
 * @param turn which place is the first: single proxies, too, come from different ones
 */
function spreadIds(wanted: StockSelection, which: Prisma.Sql, count: number, turn: number): Prisma.Sql {
  return Prisma.sql`
    WITH places AS MATERIALIZED (
      SELECT l.id, (row_number() OVER (ORDER BY l.id) + ${turn}) % count(*) OVER () AS turn, count(*) OVER () AS number
      FROM locations l WHERE l.product_id = ${wanted.productId} AND ${inPlace(wanted)}
        AND EXISTS (SELECT 1 FROM stock_ips s WHERE s.location_id = l.id AND ${FREE} AND ${which}))
    SELECT p.id FROM places CROSS JOIN stock_ips p ON p.id IN (
      SELECT s.id FROM stock_ips s WHERE s.location_id = places.id AND ${FREE} AND ${which}
      ORDER BY s.position LIMIT (SELECT (${count} + number - 1) / number FROM places LIMIT 1))
    ORDER BY places.turn, p.position LIMIT 0 + ${count}`
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
 * Takes proxies that were delivered back into the stock, in the transaction in which their instances cease. There they rest: who had
 * them knows their credentials (rules 5.16). What an instance in use or in its grace holds stays where it is.
 */
export async function returnToStock(
  tx: Tx,
  proxies: readonly { readonly orderId: number; readonly providerInstanceNo: string }[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE stock_ips SET order_id = NULL, resting = 1 FROM json_each(${JSON.stringify(proxies)}) proxy
    WHERE stock_ips.id = CAST(proxy.value ->> 'providerInstanceNo' AS INTEGER) AND stock_ips.order_id = proxy.value ->> 'orderId'
      AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.order_id = stock_ips.order_id
                        AND i.provider_instance_no = proxy.value ->> 'providerInstanceNo' AND i.released_at IS NULL)`
}
