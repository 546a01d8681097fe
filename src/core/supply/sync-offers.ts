import { compiled } from '../database/compiled.ts'
import { ALWAYS, jsonText, rowsOf } from '../database/dialect.ts'
import type { Micros } from '../money.ts'
import { ANSWER_MS, answerInTime } from './answer-in-time.ts'
import { noteAnswer, noteFault } from './breaker.ts'
import { connectionOf } from './connection-of.ts'
import { type CatalogueOffer, SupplierFault } from './driver.ts'
import { repriceLocations } from './location-prices.ts'
import { inAccountCurrency } from './supplier-amount.ts'
import type { SupplyDeps } from './deps.ts'

const MINUTE = 60_000
const SYNC_MS = 10 * MINUTE
const RETRY_MS = MINUTE
/** Age in ms up to which a call that settles during a sync is deducted from what was read. */
const CLAIMS_MS = 60 * MINUTE

export interface SyncResult {
  /** Offers that the supplier lists. */
  readonly offers: number
  /** Offers that the supplier no longer lists. */
  readonly gone: number
}

/**
 * Reads balance and catalogue of a connection into the mirror, and computes prices that follow the cost (rules 11.12). The claims of
 * calls that the supplier may not have counted yet are deducted from both.
 *
 * @throws SupplierFault when the supplier does not answer; the mirror stays as it is then
 */
export async function syncOffers(
  deps: SupplyDeps,
  connectionId: number,
  signal: AbortSignal = AbortSignal.timeout(ANSWER_MS.catalogue),
): Promise<SyncResult> {
  const began = deps.clock.now()
  const { driver, rate } = await connectionOf(deps, connectionId)
  const { available } = await answerInTime(signal, () => driver.balance(signal))
  const balance = inAccountCurrency(available, rate, 'down')
  const catalogue = await answerInTime(signal, () => driver.catalogue(signal))
  const offers = [...new Map(catalogue.map((offer) => [offer.offerNo, offer])).values()].flatMap((offer) =>
    mirrored(offer, rate),
  )
  const { gone } = await deps.db.write(async (tx) => {
    const claims = await readClaims(tx, {
      connectionId,
      began: began.toISOString(),
      since: shifted(began, -CLAIMS_MS).toISOString(),
    })
    const claimed = new Map<string, number>()
    for (const { offerNo, count } of claims)
      if (offerNo !== null) claimed.set(offerNo, (claimed.get(offerNo) ?? 0) + count)
    const rows = offers.map((offer) => ({
      ...offer,
      stock: Math.max(0, offer.stock - (claimed.get(offer.offerNo) ?? 0)),
    }))
    const seen = { connectionId, now: began.toISOString() }
    await writeOffers(tx, { rows, ...seen })
    // What was not listed now has no stock.
    const missing = await tx.$kysely
      .updateTable('supplierOffers')
      .set({ stock: 0 })
      .where('connectionId', '=', connectionId)
      .where('seenAt', '<>', seen.now)
      .returning('id')
      .execute()
    const owed = claims.reduce((sum, { expectedCost }) => sum + expectedCost, 0)
    const next = shifted(began, SYNC_MS).toISOString()
    // A sync that became due while this one was under way stays due.
    await tx.$kysely
      .updateTable('supplierConnections')
      .set(({ eb, ref }) => ({
        balance: balance - owed,
        balanceAt: seen.now,
        syncedAt: deps.clock.now(),
        syncDueAt: eb.case().when('syncDueAt', '>', seen.now).then(ref('syncDueAt')).else(next).end(),
      }))
      .where('id', '=', connectionId)
      .execute()
    await noteAnswer(tx, connectionId)
    await repriceLocations(tx, { connectionId })
    return { gone: missing.length }
  })
  return { offers: offers.length, gone }
}

function shifted(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

const OFFER = {
  ...({ offerNo: 'text', name: 'text', proxyType: 'integer', countryCode: 'text' } as const),
  ...({ state: 'text', cityCode: 'text', periodUnit: 'integer', periodLength: 'integer' } as const),
  ...({ cost: 'integer', stock: 'integer', maxCount: 'integer' } as const),
  ...({ data: 'text', projects: 'text', ranges: 'text' } as const),
}
const OFFER_COLUMNS = Object.keys(OFFER) as (keyof typeof OFFER)[]

type OfferRow = {
  readonly [Column in keyof typeof OFFER]: (typeof OFFER)[Column] extends 'text' ? string : number
}

/** Returns the row of the mirror; none for an offer whose number, place, kind, cost or period is invalid. */
function mirrored(offer: CatalogueOffer, rate: Micros): OfferRow[] {
  const { offerNo, countryCode, proxyType, periodUnit, periodLength, maxCount } = offer
  const isSound =
    /^[A-Za-z0-9_.:-]{1,64}$/.test(offerNo) &&
    /^[A-Z]{2}$/.test(countryCode) &&
    [101, 102, 103].includes(proxyType) &&
    [1, 3].includes(periodUnit) &&
    [periodLength, maxCount].every((number) => Number.isInteger(number) && number > 0)
  if (!isSound) return []
  let cost: Micros
  try {
    cost = inAccountCurrency(offer.cost, rate)
  } catch (error) {
    if (error instanceof SupplierFault) return []
    throw error
  }
  return [
    {
      offerNo,
      countryCode,
      proxyType,
      periodUnit,
      periodLength,
      maxCount,
      cost,
      name: offer.name.slice(0, 200),
      state: offer.state,
      cityCode: offer.cityCode,
      stock: Math.max(0, Math.floor(offer.stock) || 0),
      data: JSON.stringify(offer.data),
      projects: JSON.stringify(offer.projects),
      ranges: JSON.stringify(offer.ranges),
    },
  ]
}

/** Claims on stock and balance of calls that the supplier may not have counted when it was asked. */
const readClaims = compiled<{ connectionId: number; began: string; since: string }>()((
  db,
  { connectionId, began, since },
) => {
  const calls = db
    .selectFrom('supplierCalls')
    .select(['count', 'expectedCost'])
    .select(({ ref }) => jsonText(ref('request'), 'offerNo').as('offerNo'))
    .where('connectionId', '=', connectionId)
  return calls
    .where('nextAt', 'is not', null)
    .where(({ or, eb }) =>
      or([eb('state', 'in', ['intended', 'sent', 'in_doubt']), eb('updatedAt', '>', began)]),
    )
    .unionAll(
      calls
        .where('createdAt', '>', since)
        .where('state', '=', 'settled')
        .where('kind', 'in', ['open', 'renew'])
        .where('updatedAt', '>', began),
    )
})

const writeOffers = compiled<{ rows: readonly OfferRow[]; connectionId: number; now: string }>()(
  (db, { rows, connectionId, now }) =>
    db
      .insertInto('supplierOffers')
      .columns(['connectionId', 'seenAt', 'createdAt', ...OFFER_COLUMNS])
      .expression(({ selectFrom }) =>
        selectFrom(rowsOf(rows, OFFER, 'n'))
          .select([connectionId.as('connectionId'), now.as('seenAt'), now.as('createdAt')])
          .select(OFFER_COLUMNS.map((column) => `n.${column}` as const))
          .where(ALWAYS),
      )
      .onConflict((known) =>
        known.columns(['connectionId', 'offerNo']).doUpdateSet(({ ref }) => ({
          seenAt: ref('excluded.seenAt'),
          name: ref('excluded.name'),
          proxyType: ref('excluded.proxyType'),
          countryCode: ref('excluded.countryCode'),
          state: ref('excluded.state'),
          cityCode: ref('excluded.cityCode'),
          periodUnit: ref('excluded.periodUnit'),
          periodLength: ref('excluded.periodLength'),
          cost: ref('excluded.cost'),
          stock: ref('excluded.stock'),
          maxCount: ref('excluded.maxCount'),
          data: ref('excluded.data'),
          projects: ref('excluded.projects'),
          ranges: ref('excluded.ranges'),
        })),
      ),
)

/**
 * As {@link syncOffers}, for the lane: a fault counts against the connection, and the sync is due again after a minute, or after the
 * longer pause that the supplier has asked for.
 *
 * @returns undefined after a fault
 */
export async function syncDueOffers(
  deps: SupplyDeps,
  connectionId: number,
  signal?: AbortSignal,
): Promise<SyncResult | undefined> {
  try {
    return await syncOffers(deps, connectionId, signal)
  } catch (error) {
    if (!(error instanceof SupplierFault)) throw error
    const now = deps.clock.now()
    const next = shifted(now, Math.max(RETRY_MS, error.retryAfterMs ?? 0))
    await deps.db.write(async (tx) => {
      await tx.$kysely
        .updateTable('supplierConnections')
        .set({ syncDueAt: next })
        .where('id', '=', connectionId)
        .execute()
      await noteFault(tx, now, connectionId, error.message)
    })
    return undefined
  }
}
