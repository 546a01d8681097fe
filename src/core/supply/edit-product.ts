import { z } from 'zod'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { NewProduct, ShownProduct } from '../catalog/manage-products.ts'
import { EditedNames, textsColumn } from '../catalog/product-texts.ts'
import { citiesInCountries } from '../catalog/offered-places.ts'
import { fitsShortestTerm } from '../catalog/product.ts'
import { editSupply, SupplyEdit } from './edit-supply.ts'
import { uncoveredOffers } from './supply-terms.ts'
import type { Essentials } from '../jobs/essentials.ts'

const {
  projects,
  gateway,
  refundHours,
  cidrSupported,
  assignIpSupported,
  lowStock,
  lowStockPlace,
  replacePolicy,
  replaceLimit,
} = NewProduct.shape

/** The fields of all products that can be changed. Kind and billing period cannot: existing orders rely on them. */
const EditedFields = z.object({
  ...ShownProduct.partial().shape,
  names: EditedNames.optional(),
  /** Whether it is offered; existing orders are not affected. */
  enabled: z.boolean().optional(),
  /** Applies to existing orders, too. */
  refundHours,
  /** The complete new list of projects of a shared product. */
  projects: projects.unwrap().optional(),
  gateway,
  cidrSupported: cidrSupported.unwrap().optional(),
  assignIpSupported: assignIpSupported.unwrap().optional(),
  lowStock: lowStock.unwrap().optional(),
  lowStockPlace: lowStockPlace.unwrap().optional(),
  replacePolicy: replacePolicy.unwrap().optional(),
  replaceLimit: replaceLimit.unwrap().optional(),
})

export const ProductEdit = EditedFields.extend(SupplyEdit.shape).refine(
  (edit) => Object.values(edit).some((value) => value !== undefined),
  {
    path: ['product'],
    error: 'nothing_to_change',
  },
)

/**
 * Changes a product, for the operator (rules 10.5).
 *
 * @returns numbers of the supplier's offers whose cost the price does not cover; they are not sold at that price
 * @throws product_not_found, validation_error
 */
export async function editProduct(
  deps: Essentials,
  productNo: string,
  input: z.input<typeof ProductEdit>,
): Promise<{ uncovered: string[] }> {
  parseInput(ProductEdit, input)
  const edit = parseInput(EditedFields, input)
  const supply = parseInput(SupplyEdit, input)
  return deps.db.write(async (tx) => {
    const product = await tx.$kysely
      .selectFrom('products')
      .selectAll()
      .where('productNo', '=', productNo)
      .executeTakeFirst()
    if (!product) throw new ServiceError('product_not_found')
    for (const field of ['cidrSupported', 'assignIpSupported', 'replacePolicy', 'replaceLimit'] as const)
      if (edit[field] && product.pool !== null) throw InvalidInput.of(field, 'static_products_only')
    if (
      edit.refundHours !== undefined &&
      product.pool === null &&
      !fitsShortestTerm(edit.refundHours, product)
    )
      throw InvalidInput.of('refundHours', 'as_long_as_the_shortest_term')
    for (const field of ['countries', 'cities'] as const)
      if (edit[field] && product.pool === null) throw InvalidInput.of(field, 'dynamic_products_only')
    const offered = {
      countries: edit.countries ?? (JSON.parse(product.countries) as string[]),
      cities: edit.cities ?? (JSON.parse(product.cities) as string[]),
    }
    if (!citiesInCountries(offered)) throw InvalidInput.of('cities', 'city_not_in_country')
    if (edit.gateway && product.pool === null) throw InvalidInput.of('gateway', 'dynamic_products_only')
    if (edit.projects && product.productType === 1) throw InvalidInput.of('projects', 'shared_products_only')

    await editSupply(tx, product, supply, edit)
    const { names, descriptions, gateway: address, projects: list, countries, cities, ...rest } = edit
    await tx.$kysely
      .updateTable('products')
      .set({
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
        ...(names && { names: textsColumn(names, product.names) }),
        ...(descriptions && { descriptions: textsColumn(descriptions, product.descriptions) }),
        ...(countries && { countries: JSON.stringify(countries) }),
        ...(cities && { cities: JSON.stringify(cities) }),
        ...(address && { gatewayHost: address.host, gatewayPort: address.port }),
        ...(list && { projects: JSON.stringify(list) }),
        updatedAt: deps.clock.now(),
      })
      .where('id', '=', product.id)
      .execute()
    return { uncovered: await uncoveredOffers(tx, product.id) }
  })
}
