import { z } from 'zod'
import { parseInput, ServiceError } from '../errors.ts'
import { StockCost } from './import-stock.ts'
import { Addresses, namedProxies } from './set-on-sale.ts'
import type { Essentials } from '../jobs/essentials.ts'

const CostInput = z.object({ cost: StockCost, ips: Addresses.optional(), productNo: z.string().optional() })

/**
 * Sets what proxies of the stock cost the shop per month (rules 11.18): those on some addresses, single ones (`IP:PORT`), or all of a
 * product. It holds for what is sold and renewed from now on.
 *
 * @param input the cost in units of the currency, with `ips` or `productNo`
 * @returns the number of these proxies
 * @throws product_not_found, validation_error with the addresses that are not in the stock; nothing is changed then
 */
export function setStockCost(deps: Essentials, input: z.input<typeof CostInput>): Promise<number> {
  const { cost, ips = [], productNo } = parseInput(CostInput, input)
  return deps.db.write(async (tx) => {
    const change = tx.$kysely.updateTable('stockIps').set({ monthlyCost: cost })
    if (productNo === undefined) {
      const { numUpdatedRows } = await change
        .where('id', 'in', await namedProxies(tx, ips, input.ips ?? []))
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    }
    const product = await tx.product.findUnique({ where: { productNo } })
    if (!product) throw new ServiceError('product_not_found')
    const { numUpdatedRows } = await change
      .where('locationId', 'in', ({ selectFrom }) =>
        selectFrom('locations').select('id').where('productId', '=', product.id),
      )
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  })
}
