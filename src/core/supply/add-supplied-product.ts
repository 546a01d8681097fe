import { z } from 'zod'
import { NewProduct } from '../catalog/manage-products.ts'
import { textsColumn } from '../catalog/product-texts.ts'
import { PRODUCT_SCOPE } from '../catalog/prices.ts'
import { defaultRefundHours } from '../catalog/product.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { repriceLocations } from './location-prices.ts'
import {
  checkRefundHours,
  findOffers,
  kindOf,
  placeKey,
  productTypeOf,
  projectsText,
  refuseOffer,
  refuseOtherKinds,
  SupplyTerms,
  uncoveredOffers,
} from './supply-terms.ts'
import type { Essentials } from '../jobs/essentials.ts'

const shown = NewProduct.shape
const supply = SupplyTerms.shape

/** A product of a supplier: its type, billing period, projects and places are those of the offers. */
export const NewSuppliedProduct = z
  .object({
    productNo: shown.productNo,
    names: shown.names,
    descriptions: shown.descriptions,
    shelf: shown.shelf,
    lowStock: shown.lowStock,
    lowStockPlace: shown.lowStockPlace,
    cidrSupported: shown.cidrSupported,
    /** Refund window in hours, at most that of the connection; when missing, the smaller of the default and the connection's. */
    refundHours: shown.refundHours,
    replacePolicy: shown.replacePolicy,
    replaceLimit: shown.replaceLimit,
    /** Name of the connection. */
    supplier: z.string(),
    /** Numbers of the offers, one for each place. */
    offers: supply.offers,
    /** Fixed price per IP and billing period; without it the price of each place is its cost plus a margin. */
    price: shown.price.optional(),
    marginPercent: supply.marginPercent.optional(),
    marginAmount: supply.marginAmount.optional(),
    minMarginPercent: supply.minMarginPercent.default(0),
  })
  .refine(
    ({ price, marginPercent, marginAmount }) =>
      (price === undefined) !== (marginPercent === undefined && marginAmount === undefined),
    { path: ['price'], error: 'price_or_margin' },
  )

/**
 * Adds, for the operator, a product that a supplier delivers, with the offers that it sells (rules 3.10, 10.5).
 *
 * @returns numbers of the offers whose cost the price does not cover; they are not sold at that price
 * @throws validation_error
 */
export async function addSuppliedProduct(
  deps: Essentials,
  input: z.input<typeof NewSuppliedProduct>,
): Promise<{ productNo: string; uncovered: string[] }> {
  const {
    supplier,
    offers: offerNos,
    price,
    marginPercent,
    marginAmount,
    minMarginPercent,
    names,
    descriptions,
    ...product
  } = parseInput(NewSuppliedProduct, input)
  const now = deps.clock.now()
  try {
    return await deps.db.write(async (tx) => {
      const { $kysely } = tx
      const connection = await $kysely
        .selectFrom('supplierConnections')
        .select(['id', 'refundHours'])
        .where('name', '=', supplier)
        .executeTakeFirst()
      if (!connection) throw InvalidInput.of('supplier', 'no_such_supplier')
      const offers = await findOffers(tx, connection.id, offerNos, 'offers')
      const [first] = offers
      if (!first) throw InvalidInput.of('offers', 'no_such_offer')
      const kind = kindOf(first)
      refuseOtherKinds(offers, kind, 'offers')
      const places = new Set<string>()
      for (const offer of offers) {
        if (places.has(placeKey(offer))) refuseOffer('offers', offer.offerNo, 'offers_in_one_place')
        places.add(placeKey(offer))
      }
      const refundHours = product.refundHours ?? Math.min(defaultRefundHours(kind), connection.refundHours)
      checkRefundHours(refundHours, kind, connection)
      const { id: productId } = await $kysely
        .insertInto('products')
        .values({
          ...product,
          names: textsColumn(names),
          descriptions: textsColumn(descriptions),
          refundHours,
          supplier,
          proxyType: kind.proxyType,
          periodUnit: kind.periodUnit,
          periodLength: kind.periodLength,
          productType: productTypeOf(kind),
          projects: projectsText(offers),
          marginBps: marginPercent ?? null,
          marginAmount: marginAmount ?? null,
          minMarginBps: minMarginPercent,
          createdAt: now,
          updatedAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const locations = offers.map(({ id: offerId, countryCode, state, cityCode }) => ({
        productId,
        offerId,
        countryCode,
        state,
        cityCode,
      }))
      await $kysely.insertInto('locations').values(locations).execute()
      if (price !== undefined)
        await $kysely
          .insertInto('prices')
          .values({ productId, scope: PRODUCT_SCOPE, minQuantity: 1, price })
          .execute()
      await repriceLocations(tx, { productId })
      return { productNo: product.productNo, uncovered: await uncoveredOffers(tx, productId) }
    })
  } catch (error) {
    if (uniqueViolation(error, 'product_no')) throw InvalidInput.of('productNo', 'product_exists')
    throw error
  }
}
