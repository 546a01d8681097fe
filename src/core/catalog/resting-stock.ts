import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Readable, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { addressOrProxy } from '../ip-address.ts'
import { announceToOperators } from '../notices/announce.ts'
import type { RestingOfProduct } from '../notices/kinds.ts'
import { readSetting, writeSetting } from '../settings.ts'
import { NAMED } from './set-on-sale.ts'
import { RESTING } from './stock.ts'

/** A proxy that waits for other credentials, because somebody has had those that it has. */
export interface RestingProxy {
  readonly productNo: string
  readonly ip: string
  readonly port: number
  readonly username: string
}

/**
 * The proxies that wait for other credentials (rules 5.16), without the passwords that they had.
 *
 * @param productNo only those of this product
 * @throws product_not_found
 */
export async function listResting({ db }: CoreDeps, productNo?: string): Promise<RestingProxy[]> {
  if (productNo !== undefined) await productIdOf(db.read, productNo)
  return selectJson<RestingProxy>(
    db.read,
    Prisma.sql`SELECT json_object('productNo', p.product_no, 'ip', s.ip, 'port', s.port, 'username', s.username) AS json
      FROM stock_ips s JOIN locations l ON l.id = s.location_id JOIN products p ON p.id = l.product_id
      WHERE ${RESTING} AND ${productNo === undefined ? Prisma.sql`1` : Prisma.sql`p.product_no = ${productNo}`}
      ORDER BY p.product_no, s.id`,
  )
}

const RestingInput = z.union([
  z.object({ ips: z.array(addressOrProxy).min(1).max(10_000) }),
  z.object({ productNo: z.string() }),
])

/**
 * The operator says that resting proxies may be sold as they are: those on some addresses, single ones (`IP:PORT`), or all of a product: whoever had one
 * before can get into it with the next customer.
 *
 * @returns how many are for sale again
 * @throws product_not_found, validation_error with the addresses that do not rest; nothing is changed then
 */
export function releaseResting(deps: CoreDeps, input: z.input<typeof RestingInput>): Promise<number> {
  const wanted = parseInput(RestingInput, input)
  return deps.db.write(async (tx) => {
    if ('productNo' in wanted) {
      const productId = await productIdOf(tx, wanted.productNo)
      return tx.$executeRaw`
        UPDATE stock_ips SET resting = 0
        WHERE resting = 1 AND disabled = 0 AND location_id IN (SELECT id FROM locations WHERE product_id = ${productId})`
    }
    const json = JSON.stringify(wanted.ips)
    const awake = await tx.$queryRaw<{ ip: string }[]>`
      SELECT value ->> 'ip' AS ip FROM json_each(${json}) named
      WHERE NOT EXISTS (SELECT 1 FROM stock_ips s WHERE ${NAMED} AND s.resting = 1)`
    if (awake.length > 0)
      throw new InvalidInput(awake.flatMap(({ ip }) => InvalidInput.of(ip, 'not_resting').issues))
    return tx.$executeRaw`
      UPDATE stock_ips SET resting = 0 WHERE resting = 1
        AND id IN (SELECT s.id FROM json_each(${json}) named JOIN stock_ips s ON ${NAMED})`
  })
}

const TOLD = 'resting_stock_told'

/** Of the loop: tells the operator once that proxies wait for other credentials; from then on the daily figures count them. */
export async function tellRestingStock(deps: CoreDeps): Promise<void> {
  if (deps.operatorChats.length === 0 || (await readSetting(deps, TOLD)) !== undefined) return
  const products = await selectJson<RestingOfProduct>(
    deps.db.read,
    Prisma.sql`SELECT json_object('nameEn', p.name_en, 'nameZh', p.name_zh, 'resting', count(*)) AS json
      FROM stock_ips s JOIN locations l ON l.id = s.location_id JOIN products p ON p.id = l.product_id
      WHERE ${RESTING} GROUP BY p.id ORDER BY p.id`,
  )
  if (products.length === 0) return
  await deps.db.write(async (tx) => {
    await writeSetting(tx, TOLD, deps.clock.now().toISOString())
    await announceToOperators(deps, tx, { kind: 'stock_resting', subject: 'first', data: { products } })
  })
  deps.jobs.wake()
}

async function productIdOf(db: Readable, productNo: string): Promise<number> {
  const [product] = await db.$queryRaw<
    { id: number }[]
  >`SELECT id FROM products WHERE product_no = ${productNo}`
  if (!product) throw new ServiceError('product_not_found')
  return product.id
}
