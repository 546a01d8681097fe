import { z } from 'zod'
import { fitsShortestTerm, type Project, PRODUCT_TYPE } from '../catalog/product.ts'
import { Price } from '../catalog/prices.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { InvalidInput } from '../errors.ts'
import { lowestPrice } from '../catalog/offer-conditions.ts'
import { projectsOf } from '../catalog/place-offers.ts'

const percent = (most: number) =>
  z
    .number()
    .min(0)
    .max(most)
    .refine((value) => Math.abs(Math.round(value * 100) - value * 100) < 1e-6, {
      error: 'at_most_two_decimals',
    })
    .transform((value) => Math.round(value * 100))

const OfferNo = z.string().min(1).max(64)

/** Terms of a product of a supplier, as the operator enters them; parsed percentages are basis points (1/100 percent). */
export const SupplyTerms = z.object({
  /** Percentage of the cost; the price is the cost plus the larger of both margins. */
  marginPercent: percent(10_000),
  marginAmount: Price,
  /** Least percentage of the price that must be left above the cost. */
  minMarginPercent: percent(99.99),
  offers: z.array(OfferNo).min(1).max(1000),
})

type Offer = Awaited<ReturnType<typeof offersNamed>>[number]

/** @throws validation_error when the connection has no such offer */
export async function findOffers(
  tx: Tx,
  connectionId: number,
  offerNos: readonly string[],
  field: string,
): Promise<Offer[]> {
  const wanted = [...new Set(offerNos)]
  const offers = await offersNamed(tx, connectionId, wanted)
  const byNo = new Map(offers.map((offer) => [offer.offerNo, offer]))
  return wanted.map((offerNo) => byNo.get(offerNo) ?? refuseOffer(field, offerNo, 'no_such_offer'))
}

function offersNamed({ $kysely }: Tx, connectionId: number, offerNos: readonly string[]) {
  return $kysely
    .selectFrom('supplierOffers')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .where('offerNo', 'in', listOf(offerNos))
    .execute()
}

/** The kind of proxy that an offer is; all offers of a product are of one kind. */
export interface OfferKind {
  readonly proxyType: number
  readonly periodUnit: number
  readonly periodLength: number
  /** Whether its orders name a project. */
  readonly shared: boolean
}

export function kindOf({ proxyType, periodUnit, periodLength, projects }: Offer): OfferKind {
  return { proxyType, periodUnit, periodLength, shared: listOfProjects(projects).length > 0 }
}

/** @throws validation_error for an offer of another kind */
export function refuseOtherKinds(offers: readonly Offer[], kind: OfferKind, field: string): void {
  const same = (other: OfferKind) =>
    other.proxyType === kind.proxyType &&
    other.periodUnit === kind.periodUnit &&
    other.periodLength === kind.periodLength &&
    other.shared === kind.shared
  const odd = offers.find((offer) => !same(kindOf(offer)))
  if (odd) refuseOffer(field, odd.offerNo, 'offer_of_another_kind')
}

export function refuseOffer(field: string, offerNo: string, message: string): never {
  throw new InvalidInput([{ code: 'custom', path: [field, offerNo], message, input: undefined }])
}

/** Returns a key that is equal for offers in the same place. */
export function placeKey(place: {
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
}): string {
  return [place.countryCode, place.state, place.cityCode].join('/')
}

/** Returns the projects of offers as the column `projects` of a product stores them. */
export function projectsText(offers: readonly Pick<Offer, 'projects'>[]): string {
  return JSON.stringify(projectsOf(offers.map(({ projects }) => ({ projects: listOfProjects(projects) }))))
}

function listOfProjects(text: string): Project[] {
  return JSON.parse(text) as Project[]
}

export function productTypeOf({ shared }: OfferKind): number {
  return shared ? PRODUCT_TYPE.shared : PRODUCT_TYPE.exclusive
}

/**
 * Refuses a refund window that is longer than the supplier's, or not shorter than the product's shortest term (rules 3.7).
 *
 * @throws validation_error
 */
export function checkRefundHours(
  refundHours: number,
  product: { readonly periodUnit: number; readonly periodLength: number },
  connection: { readonly refundHours: number },
): void {
  if (!fitsShortestTerm(refundHours, product))
    throw InvalidInput.of('refundHours', 'as_long_as_the_shortest_term')
  if (refundHours > connection.refundHours) throw InvalidInput.of('refundHours', 'longer_than_the_supplier')
}

/**
 * Returns the offers of a product whose cost, with the minimum margin, is above the first price for everybody, and which are not sold
 * at that price.
 */
export async function uncoveredOffers(tx: Tx, productId: number): Promise<string[]> {
  const places = await tx.$kysely
    .selectFrom('locations as l')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .innerJoin('supplierOffers as f', 'f.id', 'l.offerId')
    .leftJoin('prices as t', (on) =>
      on.onRef('t.productId', '=', 'p.id').on('t.scope', '=', 'product').on('t.minQuantity', '=', 1),
    )
    .select(['f.offerNo', 'f.cost', 'p.minMarginBps', 'l.price as placePrice', 't.price'])
    .where('l.productId', '=', productId)
    .orderBy('l.id')
    .execute()
  return places
    .filter((place) => place.placePrice !== null || place.price !== null)
    .filter((place) => (place.placePrice ?? place.price ?? 0) < lowestPrice(place))
    .map(({ offerNo }) => offerNo)
}
