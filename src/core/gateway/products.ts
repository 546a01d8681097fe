import { compiled } from '../database/compiled.ts'
import { parsed } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { wordOfCity } from '../catalog/offered-places.ts'
import type { GatewayProduct } from './wire.ts'

/** Reads the places of all dynamic products, as they stand in usernames (rules 6.7, 12.2). */
export async function offeredPlaces(db: Queryable): Promise<GatewayProduct[]> {
  const products = await findProducts(db, {})
  return products.map(({ productNo, countries, cities }) => ({
    product_no: productNo,
    countries: countries.map((code) => code.toLowerCase()),
    cities: cities.map(wordOfCity),
  }))
}

const findProducts = compiled<object>()((db) =>
  db
    .selectFrom('products')
    .select('productNo')
    .select(({ ref }) => [
      parsed<string[]>(ref('countries')).as('countries'),
      parsed<string[]>(ref('cities')).as('cities'),
    ])
    .where('pool', 'is not', null)
    .orderBy('id'),
)
