import { Command } from 'commander'
import { toText } from '../../core/money.ts'
import { type ProductProfit, type Profit, ProfitRecord } from '../../core/records/profit.ts'
import type { Run } from '../run.ts'
import { counted, table } from '../../operator/table.ts'

/** `profit`: revenue, cost and margin by product (rules 11.6). */
export function profitCommand(run: Run): Command {
  return new Command('profit')
    .description('revenue, cost and margin by product')
    .option(
      '--from <day>',
      'first day, such as 2026-03-01, UTC; by default the first of the month of the last',
    )
    .option('--to <day>', 'last day; by default today')
    .action(
      run(async (session, days: { from?: string; to?: string }) => {
        const profit = await (await session.core()).operator.profit(session.by, days)
        const { from, to, ...sums } = ProfitRecord.show(profit)
        return {
          data: { from, to, currency: session.currency, ...sums },
          text: [
            `${from} to ${to} (UTC), ${session.currency}`,
            table([HEADING, ...profit.products.map(rowOfProduct), ['total', '', ...cells(profit.total)]]),
          ].join('\n'),
          warnings: [
            ...(profit.total.expectedCost > 0
              ? [
                  `${toText(profit.total.expectedCost)} of the cost is expected: suppliers have not charged it yet`,
                ]
              : []),
            ...(profit.total.unknownCost > 0
              ? [
                  `cost unknown for ${counted(profit.total.unknownCost, 'proxy', 'proxies')} of the own stock, which the margin counts as 0: say it by \`stock cost\``,
                ]
              : []),
          ],
        }
      }),
    )
}

const HEADING = ['PRODUCT', 'SUPPLIER', 'REVENUE', 'REFUNDS', 'AGENTS', 'COST', 'MARGIN']

function rowOfProduct(product: ProductProfit): string[] {
  return [product.productNo, product.supplier, ...cells(product)]
}

function cells({ revenue, refunds, agents, cost, unknownCost, margin }: Profit['total']): string[] {
  return [
    toText(revenue),
    toText(refunds),
    toText(agents),
    cost === null ? 'unknown' : `${toText(cost)}${unknownCost > 0 ? ` (unknown: ${unknownCost})` : ''}`,
    margin === null ? '-' : toText(margin),
  ]
}
