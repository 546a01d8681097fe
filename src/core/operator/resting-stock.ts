import { z } from 'zod'
import type { Queryable } from '../database/queries.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { addressOrProxy } from '../ip-address.ts'
import { type HeldOf, record } from '../record.ts'
import { isAnybodyTold } from '../notices/concerns.ts'
import type { RestingOfProduct } from '../facts/operator-facts.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { isNamed, namedRows } from '../catalog/set-on-sale.ts'
import { isResting } from '../catalog/stock-conditions.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES } from '../catalog/product-texts.ts'

/** A proxy that waits for other credentials, because a former customer knows its present ones. */
export const RestingProxyRecord = record({
  productNo: z.string(),
  ip: z.string(),
  port: z.int(),
  username: z.string(),
})
type RestingProxy = HeldOf<typeof RestingProxyRecord>

/**
 * Lists the proxies that wait for other credentials (rules 5.16), without their passwords.
 *
 * @param productNo only those of this product
 * @throws product_not_found
 */
export async function listResting({ db }: Essentials, productNo?: string): Promise<RestingProxy[]> {
  if (productNo !== undefined) await productIdOf(db.read, productNo)
  return db.read.$kysely
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .select(['p.productNo', 's.ip', 's.port', 's.username'])
    .where(isResting)
    .where(({ eb, and }) => and(productNo ? [eb('p.productNo', '=', productNo)] : []))
    .orderBy('p.productNo')
    .orderBy('s.id')
    .execute()
}

// Two schemas, no union: the issues of a union would not name the wrong address.
const NamedInput = z.object({ ips: z.array(addressOrProxy).min(1).max(10_000) })
const OfProductInput = z.object({ productNo: z.string() })
type RestingInput = z.input<typeof NamedInput> | z.input<typeof OfProductInput>

/**
 * Puts resting proxies on sale with their present credentials, for the operator: those on some addresses, single ones (`IP:PORT`),
 * or all of a product. A former customer can still use such a proxy after it is sold again.
 *
 * @returns how many are for sale again
 * @throws product_not_found, validation_error with the addresses that have no resting proxy; nothing is changed then
 */
export async function releaseResting(deps: Essentials, input: RestingInput): Promise<number> {
  const wanted = 'productNo' in input ? parseInput(OfProductInput, input) : parseInput(NamedInput, input)
  return deps.db.write(async (tx) => {
    const resting = tx.$kysely.updateTable('stockIps').set({ resting: false }).where('resting', '=', true)
    if ('productNo' in wanted) {
      const productId = await productIdOf(tx, wanted.productNo)
      const { numUpdatedRows } = await resting
        .where('disabled', '=', false)
        .where('locationId', 'in', ({ selectFrom }) =>
          selectFrom('locations').select('id').where('productId', '=', productId),
        )
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    }
    const named = namedRows(wanted.ips)
    const notResting = await tx.$kysely
      .selectFrom(named)
      .select('named.ip')
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('stockIps as s').select('s.id').where(isNamed).where('s.resting', '=', true))),
      )
      .orderBy('named.nth')
      .execute()
    if (notResting.length > 0)
      throw new InvalidInput(notResting.flatMap(({ ip }) => InvalidInput.of(ip, 'not_resting').issues))
    const { numUpdatedRows } = await resting
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom(named)
          .innerJoin('stockIps as s', (on) => on.on(isNamed))
          .select('s.id'),
      )
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  })
}

const TOLD_SETTING = 'resting_stock_told'

/** Sweep of the job loop: tells the operator once that proxies wait for other credentials; from then on the daily figures count them. */
export async function tellRestingStock(deps: Essentials): Promise<void> {
  if (!(await isAnybodyTold(deps)) || (await readSetting(deps, TOLD_SETTING)) !== undefined) return
  const products: RestingOfProduct[] = await deps.db.read.$kysely
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .select([NAMES])
    .select(({ fn }) => fn.countAll<number>().as('resting'))
    .where(isResting)
    .groupBy('p.id')
    .orderBy('p.id')
    .execute()
  if (products.length === 0) return
  await deps.db.write(async (tx) => {
    await writeSetting(tx, TOLD_SETTING, deps.clock.now().toISOString())
    happened(tx, { kind: 'stock_resting', subject: 'first', data: { products } })
  })
}

async function productIdOf({ $kysely }: Queryable, productNo: string): Promise<number> {
  const product = await $kysely
    .selectFrom('products')
    .select('id')
    .where('productNo', '=', productNo)
    .executeTakeFirst()
  if (!product) throw new ServiceError('product_not_found')
  return product.id
}
