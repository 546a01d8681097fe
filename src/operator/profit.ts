import { z } from 'zod'
import { calendarDay } from '../core/calendar-day.ts'
import { toText } from '../core/money.ts'
import { record } from '../core/record.ts'
import { PROFIT, type ProductProfit, type Profit } from '../core/records/profit.ts'
import { action, typed } from './action.ts'
import { counted, table } from './table.ts'

const { from, to, ...sums } = PROFIT
const ProfitRecord = record({ from, to, currency: z.string(), ...sums })

/** Revenue, cost and margin by product (rules 11.6). */
export const profitAction = action({
  name: 'profit',
  summary: 'revenue, cost and margin by product',
  input: {
    from: typed(
      calendarDay.optional(),
      '--from <day>',
      'first day, such as 2026-03-01, UTC; by default the first of the month of the last',
    ),
    to: typed(calendarDay.optional(), '--to <day>', 'last day; by default today'),
  },
  answer: ProfitRecord.schema,
  reads: true,
  async run({ core, by, currency }, days) {
    const profit = await core.operator.profit(by, days)
    const { expectedCost, unknownCost } = profit.total
    return {
      data: ProfitRecord.show({ ...profit, currency }),
      text: [
        `${profit.from} to ${profit.to} (UTC), ${currency}`,
        table([HEADING, ...profit.products.map(rowOfProduct), ['total', '', ...cells(profit.total)]]),
      ].join('\n'),
      warnings: [
        ...(expectedCost > 0
          ? [`${toText(expectedCost)} of the cost is expected: suppliers have not charged it yet`]
          : []),
        ...(unknownCost > 0
          ? [
              `cost unknown for ${counted(unknownCost, 'proxy', 'proxies')} of the own stock, which the margin counts as 0: say it by \`stock cost\``,
            ]
          : []),
      ],
    }
  },
})

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
