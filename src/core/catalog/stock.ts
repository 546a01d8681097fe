import { compiled } from '../database/compiled.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { findNamed, findSpread, type Named, type Spread, takeNamed, takeSpread } from './free-stock.ts'
import { inPlace, ipRange, type PlaceCodes, placeCodesOf } from './stock-conditions.ts'

/** Which free proxies of a product are to be taken for an order. */
export interface StockSelection extends PlaceCodes {
  readonly productId: number
  readonly count: number
  /** Number of proxies from each range, in sum `count`. */
  readonly cidrBlocks?: readonly { readonly cidr: string; readonly count: number }[] | undefined
  /** Addresses to take; other proxies fill up to `count`. */
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
  /** What the shop pays for it per month; null while that is not known. */
  readonly monthlyCost: Micros | null
}

/** Message for a line of a file whose credentials were delivered to a customer before. */
export const DELIVERED_BEFORE =
  'has credentials that a customer has had: change them where you buy it, and then here'

/**
 * Returns those of the given ranges in which the product has no proxy in this place, neither free nor sold; none where the product
 * has nothing in the stock at all, because another supplier delivers it.
 */
export async function unknownRanges(
  db: Queryable,
  productId: number,
  place: PlaceCodes,
  ranges: readonly string[],
): Promise<string[]> {
  if (ranges.length === 0) return []
  const rows = ranges.map((cidr) => ({ cidr, ip: cidr.replace(/\/(32|128)$/, '') }))
  const found = await findUnknownRanges(db, { ...placeCodesOf(place), productId, rows })
  const unknown = new Set(found.map(({ cidr }) => cidr))
  return ranges.filter((range) => unknown.has(range))
}

interface WantedRanges extends PlaceCodes {
  readonly productId: number
  readonly rows: readonly { readonly cidr: string; readonly ip: string }[]
}

const findUnknownRanges = compiledForGiven<WantedRanges>()(
  (db, { productId, rows, countryCode, cityCode, regionCode }) =>
    db
      .selectFrom(rowsOf(rows, { cidr: 'text', ip: 'text' }, 'range'))
      .select('range.cidr')
      .where(({ exists, not, and, selectFrom }) => {
        const stocked = selectFrom('stockIps as s')
          .innerJoin('locations as l', 'l.id', 's.locationId')
          .select('s.id')
          .where('l.productId', '=', productId)
        const inThisPlace = stocked.where(inPlace({ countryCode, cityCode, regionCode }))
        return and([
          exists(stocked),
          not(exists(inThisPlace.whereRef('s.cidr', '=', 'range.cidr'))),
          not(
            exists(
              inThisPlace
                .whereRef('s.ip', '=', 'range.ip')
                .where((s) => s(ipRange(s), '=', s.ref('range.cidr'))),
            ),
          ),
        ])
      }),
)

/**
 * Takes free proxies for an order in the open transaction. A proxy that an order holds is not free for another, so none is sold
 * twice.
 *
 * @throws out_of_stock, assigned_ip_unavailable
 */
export function reserveStock(tx: Tx, orderId: number, wanted: StockSelection): Promise<void> {
  return allot(wanted, {
    named: (named) => takeNamed(tx, { ...named, orderId }),
    spread: (spread) => takeSpread(tx, { ...spread, orderId, turn: orderId }),
  })
}

/**
 * Checks whether an order could take free proxies now; changes nothing.
 *
 * @throws as {@link reserveStock}
 */
export function checkStock(db: Queryable, wanted: StockSelection): Promise<void> {
  const taken: number[] = []
  const remember = (rows: readonly { id: number }[]) => {
    taken.push(...rows.map(({ id }) => id))
    return rows
  }
  return allot(wanted, {
    named: async (named) => remember(await findNamed(db, named)),
    spread: async (spread) =>
      remember(await findSpread(db, { ...spread, turn: 0, ...(taken.length > 0 ? { taken } : {}) })),
  })
}

/** How {@link allot} finds proxies, and reserves them unless it only checks. Both return one row for each proxy found. */
interface Takers {
  readonly named: (wanted: Named) => Promise<readonly object[]>
  readonly spread: (wanted: Spread) => Promise<readonly object[]>
}

/**
 * Takes the proxies of an order: named addresses first, then ranges, then any.
 *
 * @throws out_of_stock, assigned_ip_unavailable
 */
async function allot(wanted: StockSelection, take: Takers): Promise<void> {
  const base = { ...placeCodesOf(wanted), productId: wanted.productId }
  /** Repeats, so that where a place has fewer than its share, the other places supply the rest. */
  const takeUpTo = async (which: { cidr?: string }, count: number): Promise<number> => {
    const { length: found } = await take.spread({ ...base, ...which, count })
    return found === 0 || found === count ? found : found + (await takeUpTo(which, count - found))
  }
  let missing = wanted.count
  const assigned = wanted.assignedIps ?? []
  if (assigned.length > 0) {
    const { length: found } = await take.named({ ...base, ips: assigned, count: wanted.count })
    if (found < assigned.length) throw new ServiceError('assigned_ip_unavailable')
    missing -= found
  }
  for (const { cidr, count } of wanted.cidrBlocks ?? []) {
    const found = await takeUpTo({ cidr }, count)
    if (found < count)
      throw new ServiceError('out_of_stock', { data: { cidr, requested: count, available: found } })
    missing -= found
  }
  if (missing === 0) return
  const found = await takeUpTo({}, missing)
  if (found < missing) {
    throw new ServiceError('out_of_stock', {
      data: { requested: wanted.count, available: wanted.count - missing + found },
    })
  }
}

/** Returns the proxies that orders took and that can still be delivered (the operator may have disabled some meanwhile). */
export async function reservedStock(
  db: Queryable,
  orderIds: readonly number[],
): Promise<Map<number, StockProxy[]>> {
  const stock = new Map<number, StockProxy[]>(orderIds.map((id) => [id, []]))
  for (const { orderId, ...proxy } of await findReserved(db, { orderIds })) stock.get(orderId)?.push(proxy)
  return stock
}

const findReserved = compiled<{ orderIds: readonly number[] }>()((db, { orderIds }) =>
  db
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .select(['s.orderId', 's.id as stockId', 's.ip', 's.port', 's.username', 's.password', 's.cidr'])
    .select('s.monthlyCost')
    .select(['l.countryCode', 'l.state', 'l.cityCode'])
    .where('s.orderId', 'in', listOf(orderIds))
    .where('s.disabled', '=', false)
    .orderBy('s.orderId')
    .orderBy('s.id')
    .$narrowType<{ orderId: number }>(),
)

/** Frees the proxies that were reserved for an order and not delivered, in the transaction that completes the order. */
export async function releaseUndelivered(tx: Tx, orderId: number): Promise<void> {
  await freeUndelivered(tx, { orderId })
}

const freeUndelivered = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .updateTable('stockIps')
    .set({ orderId: null })
    .where('orderId', '=', orderId)
    .where(({ cast, exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('instances as i')
            .select('i.id')
            .where('i.orderId', '=', orderId)
            .where('i.providerInstanceNo', '=', cast<string>('stockIps.id', 'text')),
        ),
      ),
    ),
)

interface DeliveredProxy {
  readonly orderId: number
  readonly providerInstanceNo: string
}

/**
 * Returns delivered proxies to the stock, in the transaction that ends their instances. They rest there, because the former
 * customer knows their credentials (rules 5.16). A proxy whose instance is in use or in its grace is not returned.
 */
export async function returnToStock(tx: Tx, proxies: readonly DeliveredProxy[]): Promise<void> {
  await takeBack(tx, { proxies })
}

const takeBack = compiled<{ proxies: readonly DeliveredProxy[] }>()((db, { proxies }) =>
  db
    .updateTable('stockIps as s')
    .from(rowsOf(proxies, { orderId: 'integer', providerInstanceNo: 'text' }, 'proxy'))
    .set({ orderId: null, resting: true })
    .where(({ eb, cast, ref }) => eb('s.id', '=', cast<number>(ref('proxy.providerInstanceNo'), 'integer')))
    .whereRef('s.orderId', '=', 'proxy.orderId')
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('instances as i')
            .select('i.id')
            .whereRef('i.orderId', '=', 's.orderId')
            .whereRef('i.providerInstanceNo', '=', 'proxy.providerInstanceNo')
            .where('i.releasedAt', 'is', null),
        ),
      ),
    ),
)
