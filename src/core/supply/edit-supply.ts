import { z } from 'zod'
import type { Product as ProductModel } from '../../generated/prisma/client.ts'
import { Price, PRODUCT_SCOPE } from '../catalog/prices.ts'
import { OWN_STOCK, PRODUCT_TYPE } from '../catalog/product.ts'
import type { Tx } from '../database/database.ts'
import { InvalidInput } from '../errors.ts'
import { repriceLocations } from './location-prices.ts'
import {
  checkRefundHours,
  findOffers,
  placeKey,
  projectsText,
  refuseOffer,
  refuseOtherKinds,
  SupplyTerms,
} from './supply-terms.ts'

const supply = SupplyTerms.shape

/** What can be changed about a supplied product, besides what all products have. */
export const SupplyEdit = z.object({
  addOffers: supply.offers.optional(),
  /** Offers that are no longer sold, and whose proxies are no longer renewed. */
  removeOffers: supply.offers.optional(),
  /** Fixed price for everybody; ends the margins. */
  price: Price.optional(),
  /** Margin on the cost, which the price then follows; ends a fixed price for everybody. */
  marginPercent: supply.marginPercent.optional(),
  marginAmount: supply.marginAmount.optional(),
  minMarginPercent: supply.minMarginPercent.optional(),
  /** The place whose margins are changed instead of the product's; an empty city: no city in particular. */
  place: z.object({ countryCode: z.string(), state: z.string().optional(), cityCode: z.string() }).optional(),
  /** Removes the margins of the place, so that those of the product apply again. */
  usualMargin: z.literal(true).optional(),
})
type SupplyEdit = z.output<typeof SupplyEdit>

type Product = Pick<
  ProductModel,
  'id' | 'supplier' | 'proxyType' | 'productType' | 'periodUnit' | 'periodLength'
>

/**
 * Changes what a product takes from its supplier and at which price, in the open transaction.
 *
 * @param fields what is changed about the product itself
 * @throws validation_error
 */
export async function editSupply(
  tx: Tx,
  product: Product,
  edit: SupplyEdit,
  fields: {
    refundHours?: number | undefined
    projects?: object | undefined
    assignIpSupported?: boolean | undefined
  },
): Promise<void> {
  const connection =
    product.supplier === OWN_STOCK
      ? null
      : await tx.supplierConnection.findUnique({ where: { name: product.supplier } })
  if (!connection) {
    const [given] = Object.entries(edit).filter(([, value]) => value !== undefined)
    if (given) throw InvalidInput.of(given[0], 'supplied_products_only')
    return
  }
  if (fields.refundHours !== undefined) checkRefundHours(fields.refundHours, product, connection)
  if (fields.projects) throw InvalidInput.of('projects', 'comes_from_the_offers')
  if (fields.assignIpSupported) throw InvalidInput.of('assignIpSupported', 'own_stock_only')
  await removeOffers(tx, product, edit.removeOffers ?? [])
  await addOffers(tx, product, connection.id, edit.addOffers ?? [])
  await changePrice(tx, product, edit)
  await repriceLocations(tx, { productId: product.id })
}

async function removeOffers(tx: Tx, product: Product, offerNos: readonly string[]): Promise<void> {
  for (const offerNo of offerNos) {
    const where = { productId: product.id, offer: { offerNo } }
    const location = await tx.location.findFirst({ where, select: { id: true } })
    if (!location) refuseOffer('removeOffers', offerNo, 'not_in_the_product')
    const ordered = await tx.staticOrder.findFirst({
      where: { locationId: location.id },
      select: { id: true },
    })
    // A place that orders refer to is kept, without an offer.
    if (ordered) {
      const data = { offerId: null, marginBps: null, marginAmount: null, price: null }
      await tx.location.update({ where: { id: location.id }, data })
    } else await tx.location.delete({ where: { id: location.id } })
  }
}

async function addOffers(
  tx: Tx,
  product: Product,
  connectionId: number,
  offerNos: readonly string[],
): Promise<void> {
  const offers = await findOffers(tx, connectionId, offerNos, 'addOffers')
  const { proxyType, periodUnit, periodLength, productType } = product
  const kind = { proxyType, periodUnit, periodLength, shared: productType === PRODUCT_TYPE.shared }
  refuseOtherKinds(offers, kind, 'addOffers')
  const locations = await tx.location.findMany({ where: { productId: product.id } })
  const byPlace = new Map(locations.map(({ id, offerId, ...place }) => [placeKey(place), { id, offerId }]))
  for (const { id: offerId, offerNo, ...offer } of offers) {
    const known = byPlace.get(placeKey(offer))
    if (known && known.offerId !== null) refuseOffer('addOffers', offerNo, 'offers_in_one_place')
    const { countryCode, state, cityCode } = offer
    const row = known
      ? await tx.location.update({ where: { id: known.id }, data: { offerId } })
      : await tx.location.create({
          data: { productId: product.id, offerId, countryCode, state, cityCode },
        })
    byPlace.set(placeKey(offer), { id: row.id, offerId })
  }
  const sold = await tx.supplierOffer.findMany({
    where: { locations: { some: { productId: product.id } } },
    select: { projects: true },
    orderBy: { id: 'asc' },
  })
  await tx.product.update({ where: { id: product.id }, data: { projects: projectsText(sold) } })
}

async function changePrice(tx: Tx, product: Product, edit: SupplyEdit): Promise<void> {
  const { price, marginPercent, marginAmount, minMarginPercent, place, usualMargin } = edit
  const { id } = product
  const margins = {
    ...(marginPercent === undefined ? {} : { marginBps: marginPercent }),
    ...(marginAmount === undefined ? {} : { marginAmount }),
  }
  const withMargin = Object.keys(margins).length > 0
  if (price !== undefined && withMargin) throw InvalidInput.of('price', 'price_or_margin')
  if (minMarginPercent !== undefined)
    await tx.product.update({ where: { id }, data: { minMarginBps: minMarginPercent } })
  if (place) {
    if (price !== undefined) throw InvalidInput.of('price', 'not_for_a_place')
    if (withMargin === (usualMargin === true)) throw InvalidInput.of('place', 'margin_of_the_place')
    const data = usualMargin ? { marginBps: null, marginAmount: null } : margins
    await tx.location.update({ where: { id: await locationIdOf(tx, id, place) }, data })
    return
  }
  if (usualMargin) throw InvalidInput.of('place', 'margin_of_the_place')
  if (withMargin) {
    await tx.price.deleteMany({ where: { productId: id, scope: PRODUCT_SCOPE } })
    await tx.product.update({ where: { id }, data: margins })
  }
  if (price !== undefined) {
    const key = { productId: id, scope: PRODUCT_SCOPE, minQuantity: 1 }
    await tx.product.update({ where: { id }, data: { marginBps: null, marginAmount: null } })
    await tx.price.upsert({
      where: { productId_scope_minQuantity: key },
      create: { ...key, price },
      update: { price },
    })
  }
}

async function locationIdOf(
  tx: Tx,
  productId: number,
  { countryCode, state, cityCode }: NonNullable<SupplyEdit['place']>,
): Promise<number> {
  const found = await tx.location.findMany({
    where: { productId, countryCode, cityCode, ...(state === undefined ? {} : { state }) },
    select: { id: true },
  })
  const [first, ...others] = found
  if (!first) throw InvalidInput.of('place', 'no_such_place')
  if (others.length > 0) throw InvalidInput.of('place', 'several_places')
  return first.id
}
