import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import { MAX_MICROS, type Micros } from '../money.ts'

/** Margins on a cost, of which the larger one is added. */
export interface Margins {
  /** Basis points (1/100 percent) of the cost. */
  readonly marginBps: number | null
  readonly marginAmount: Micros | null
}

const BPS = 10_000n
/** Step of prices that follow a cost, in micro-units: 0.01. */
const STEP = 10_000n

/** Returns cost plus margin, rounded up to 0.01 (rules 3.11). */
export function priceAbove(cost: Micros, { marginBps, marginAmount }: Margins): Micros {
  const part = BigInt(cost) * BigInt(marginBps ?? 0)
  const fixed = BigInt(marginAmount ?? 0) * BPS
  const exact = BigInt(cost) * BPS + (part > fixed ? part : fixed)
  const price = ((exact + BPS * STEP - 1n) / (BPS * STEP)) * STEP
  return price > BigInt(MAX_MICROS) ? MAX_MICROS : Number(price)
}

/**
 * Computes the prices of places from the costs of their offers, in the transaction that changed costs or margins: the margins of a
 * place take precedence over those of its product; where neither has any, the price is fixed and the place has none.
 */
export async function repriceLocations(
  tx: Tx,
  of: { readonly connectionId: number } | { readonly productId: number },
): Promise<void> {
  const places = await findPlaces(tx, of)
  const changed = places.flatMap(({ id, price, cost, product, place }) => {
    const margins = [place, product].find((each) => each.marginBps !== null || each.marginAmount !== null)
    const next = margins && cost !== null ? priceAbove(cost, margins) : null
    return next === price ? [] : [{ id, price: next }]
  })
  if (changed.length === 0) return
  await tx.$kysely
    .updateTable('locations')
    .from(rowsOf(changed, { id: 'integer', price: 'integer' }, 'place'))
    .set(({ ref }) => ({ price: ref('place.price') }))
    .whereRef('locations.id', '=', 'place.id')
    .execute()
}

async function findPlaces(
  tx: Tx,
  { connectionId, productId }: { connectionId?: number; productId?: number },
) {
  const rows = await tx.$kysely
    .selectFrom('locations as l')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .leftJoin('supplierOffers as f', 'f.id', 'l.offerId')
    .select(['l.id', 'l.price', 'f.cost', 'l.marginBps as placeBps', 'l.marginAmount as placeAmount'])
    .select(['p.marginBps as productBps', 'p.marginAmount as productAmount'])
    .where(({ eb, and }) =>
      and([
        ...(connectionId ? [eb('f.connectionId', '=', connectionId)] : []),
        ...(productId ? [eb('l.productId', '=', productId)] : []),
      ]),
    )
    .orderBy('l.id')
    .execute()
  return rows.map(({ id, price, cost, ...margins }) => ({
    id,
    price,
    cost,
    product: { marginBps: margins.productBps, marginAmount: margins.productAmount },
    place: { marginBps: margins.placeBps, marginAmount: margins.placeAmount },
  }))
}
