import { compiled } from '../database/compiled.ts'
import type { CoreDeps } from '../deps.ts'
import { connectionOf } from './connection-of.ts'
import type { CatalogueOffer } from './driver.ts'
import { inAccountCurrency } from './supplier-amount.ts'

const SYNC_MS = 10 * 60_000

/**
 * Reads the catalogue and the balance of a supplier into the mirror. Offers that the supplier does not list any more have no stock.
 *
 * @throws SupplierFault
 */
export async function syncOffers(
  deps: CoreDeps,
  connectionId: number,
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<{ offers: number; gone: number }> {
  const { driver, rate } = await connectionOf(deps, connectionId)
  const offers = await driver.catalogue(signal)
  const { available } = await driver.balance(signal)
  const now = deps.clock.now()
  return deps.db.write(async (tx) => {
    const { $kysely } = tx
    const before = await $kysely
      .selectFrom('supplierOffers')
      .select('id')
      .where('connectionId', '=', connectionId)
      .where('stock', '>', 0)
      .execute()
    await $kysely
      .updateTable('supplierOffers')
      .set({ stock: 0 })
      .where('connectionId', '=', connectionId)
      .execute()
    for (const offer of offers) {
      const fresh = mirrored(offer, inAccountCurrency(offer.cost, rate), now)
      await $kysely
        .insertInto('supplierOffers')
        .values({ connectionId, offerNo: offer.offerNo, createdAt: now, ...fresh })
        .onConflict((same) => same.columns(['connectionId', 'offerNo']).doUpdateSet(fresh))
        .execute()
    }
    const [claimed] = await claims(tx, { connectionId })
    await $kysely
      .updateTable('supplierConnections')
      .set({
        balance: inAccountCurrency(available, rate) - (claimed?.cost ?? 0),
        balanceAt: now,
        syncedAt: now,
        syncDueAt: new Date(now.getTime() + SYNC_MS),
        faults: 0,
        lastError: null,
      })
      .where('id', '=', connectionId)
      .execute()
    const { left } = await $kysely
      .selectFrom('supplierOffers')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('connectionId', '=', connectionId)
      .where('seenAt', '<', now.toISOString())
      .executeTakeFirstOrThrow()
    return { offers: offers.length, gone: Math.min(left, before.length) }
  })
}

function mirrored(offer: CatalogueOffer, cost: number, now: Date) {
  const { name, proxyType, countryCode, state, cityCode, periodUnit, periodLength, stock, maxCount } = offer
  return {
    name,
    proxyType,
    countryCode,
    state,
    cityCode,
    periodUnit,
    periodLength,
    stock,
    maxCount,
    cost,
    data: JSON.stringify(offer.data),
    projects: JSON.stringify(offer.projects),
    ranges: JSON.stringify(offer.ranges),
    seenAt: now,
  }
}

/** Expected cost of what is not known to have been charged yet. */
const claims = compiled<{ connectionId: number }>()((db, { connectionId }) =>
  db
    .selectFrom('supplierCalls')
    .select(({ fn }) => fn.sum<number | null>('expectedCost').as('cost'))
    .where('connectionId', '=', connectionId)
    .where('state', 'in', ['intended', 'sent', 'in_doubt'])
    .where('nextAt', 'is not', null),
)
