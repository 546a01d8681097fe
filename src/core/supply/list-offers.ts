import { z } from 'zod'
import { InvalidInput } from '../errors.ts'
import type { Page } from '../page.ts'
import { type Held, Money, record, Time } from '../record.ts'
import { valuesAsJson } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { findConnection } from './find-connection.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Fields shown of what a supplier sells. */
const OFFER = {
  offerNo: z.string(),
  name: z.string(),
  proxyType: z.int(),
  countryCode: z.string(),
  state: z.string(),
  cityCode: z.string(),
  periodUnit: z.int(),
  periodLength: z.int(),
  /** Of one proxy for one period, in the account currency. */
  cost: Money,
  stock: z.int(),
  maxCount: z.int(),
  paused: z.boolean(),
  pauseReason: z.string().nullable(),
  seenAt: Time,
  /** Numbers of the products that sell it. */
  products: z.array(z.string()),
}
export const OfferRecord = record(OFFER)

export interface OfferOverview extends Held<typeof OFFER> {
  readonly id: number
  readonly supplier: string
}

interface WantedOffers {
  readonly supplier: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined
  readonly page?: number
  readonly pageSize?: number
}

/** The reason of a pause by the operator; other reasons name the call for which the supplier charged too much. */
export const BY_OPERATOR = 'by the operator'

/**
 * Lists the offers of a supplier as they were read last: first those that products sell, then by place.
 *
 * @throws validation_error when there is no such supplier
 */
export async function listOffers(
  { db }: Pick<Essentials, 'db'>,
  { supplier, country, page = 1, pageSize = 100_000 }: WantedOffers,
): Promise<Page<OfferOverview>> {
  const { id } = await findConnection(db.read, supplier)
  const offers = offersWithProducts(db.read)
    .where('o.connectionId', '=', id)
    .$if(country !== undefined, (some) => some.where('o.countryCode', '=', country?.toUpperCase() ?? ''))
  const { total } = await db.read.$kysely
    .selectFrom(offers.as('offer'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const items = await offers
    .orderBy(
      ({ exists, selectFrom }) =>
        exists(selectFrom('locations').select('id').whereRef('offerId', '=', 'o.id')),
      'desc',
    )
    .orderBy('o.countryCode')
    .orderBy('o.state')
    .orderBy('o.cityCode')
    .orderBy('o.cost')
    .orderBy('o.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items, total, page, pageSize }
}

/** Returns an offer by its id; undefined when it does not exist. */
export async function getOffer(
  { db }: Pick<Essentials, 'db'>,
  id: number,
): Promise<OfferOverview | undefined> {
  return offersWithProducts(db.read).where('o.id', '=', id).executeTakeFirst()
}

function offersWithProducts({ $kysely }: Queryable) {
  return $kysely
    .selectFrom('supplierOffers as o')
    .innerJoin('supplierConnections as c', 'c.id', 'o.connectionId')
    .select(['o.id', 'c.name as supplier', 'o.offerNo', 'o.name', 'o.proxyType', 'o.countryCode', 'o.state'])
    .select(['o.cityCode', 'o.periodUnit', 'o.periodLength', 'o.cost', 'o.stock', 'o.maxCount'])
    .select(['o.paused', 'o.pauseReason', 'o.seenAt'])
    .select(({ selectFrom }) => {
      const products = selectFrom('locations as l')
        .innerJoin('products as p', 'p.id', 'l.productId')
        .select('p.productNo')
        .whereRef('l.offerId', '=', 'o.id')
        .distinct()
      return valuesAsJson(products).as('products')
    })
}

/** An offer by its id, or by the names of supplier and offer. */
export type WhichOffer = { readonly id: number } | { readonly supplier: string; readonly offerNo: string }

/**
 * Takes an offer off sale, or puts it back on sale.
 *
 * @throws validation_error when there is no such supplier or offer
 */
export async function setOfferPaused(
  deps: Essentials,
  which: WhichOffer,
  paused: boolean,
): Promise<{ readonly supplier: string; readonly offerNo: string }> {
  const connection = 'supplier' in which ? await findConnection(deps.db.read, which.supplier) : undefined
  return deps.db.write(async (tx) => {
    const changed = await tx.$kysely
      .updateTable('supplierOffers')
      .set({ paused, pauseReason: paused ? BY_OPERATOR : null })
      .$if('id' in which, (offer) => offer.where('id', '=', 'id' in which ? which.id : 0))
      .$if('offerNo' in which, (offer) =>
        offer
          .where('connectionId', '=', connection?.id ?? 0)
          .where('offerNo', '=', 'offerNo' in which ? which.offerNo : ''),
      )
      .returning(['id', 'offerNo'])
      .executeTakeFirst()
    if (!changed) throw InvalidInput.of('offer', 'no_such_offer')
    const { supplier } = await offersWithProducts(tx).where('o.id', '=', changed.id).executeTakeFirstOrThrow()
    return { supplier, offerNo: changed.offerNo }
  })
}
