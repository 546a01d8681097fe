import { z } from 'zod'
import { StockCostInUnits } from '../core/catalog/import-stock.ts'
import { type StockInPlace, StockInPlaceRecord } from '../core/catalog/list-stock.ts'
import { OWN_STOCK } from '../core/catalog/product.ts'
import { writePlainCsv } from '../core/csv.ts'
import { toText } from '../core/money.ts'
import { RestingProxyRecord } from '../core/operator/resting-stock.ts'
import { Money, record } from '../core/record.ts'
import { type Action, action, typed } from './action.ts'
import { address, csvFile } from './arguments.ts'
import { wrongUse } from './refusal.ts'
import { counted, table } from './table.ts'

const UPDATE_COLUMNS = ['ip', 'port', 'username', 'password']
const FILE_RULE = 'all lines of the file, or none when one is bad'
const ADDRESSES = 'addresses, each with all its proxies, or single proxies as IP:PORT'

const dryRun = typed(z.boolean().default(false), '--dry-run', 'only check the file')
/** Proxies by address, or all of a product; {@link named} reads it. */
const NAMED = {
  ips: typed(z.array(z.string()).default([]), '[ip...]', ADDRESSES, { parse: address }),
  productNo: typed(z.string().optional(), '--product <number>', 'all of this product instead'),
}

const StockImportRecord = record({
  imported: z.int(),
  checked: z.int(),
  skipped: z.int(),
  dryRun: z.boolean(),
  monthlyCost: Money,
  costUnknown: z.int(),
})

/** The proxies that the operator sells (rules 10.7, 10.8). */
export const stockActions = [
  action({
    name: 'stock list',
    summary: 'what is in the stock, place by place',
    answer: z.object({ items: StockInPlaceRecord.array().schema }),
    reads: true,
    async run({ core }) {
      const places = await core.operator.listStock()
      return {
        data: { items: StockInPlaceRecord.array().show(places) },
        text: places.length === 0 ? 'The stock is empty' : tableOf(places),
      }
    },
  }),
  action({
    name: 'stock import',
    summary: `take proxies into the stock: ${FILE_RULE}`,
    input: {
      csv: csvFile(
        'product_no,ip,port,username,password,country_code,state,city_code,cidr, and cost where it says it',
      ),
      cost: typed(
        StockCostInUnits.optional(),
        '--cost <amount>',
        'what a proxy costs you per month, where its line does not say it',
      ),
      dryRun,
      skipExisting: typed(
        z.boolean().default(false),
        '--skip-existing',
        'leave out proxies that are in the stock already',
      ),
    },
    answer: StockImportRecord.schema,
    async run({ core, by }, { csv, ...options }) {
      const taken = await core.operator.importStock(by, csv, options)
      const { imported, skipped, namelessCities, severalPorts, monthlyCost, withoutCost } = taken
      const left = skipped > 0 ? `; ${skipped} ${skipped === 1 ? 'is' : 'are'} in the stock already` : ''
      const costs = withoutCost < imported ? `; they cost ${toText(monthlyCost)} a month` : ''
      return {
        data: StockImportRecord.show({
          ...taken,
          imported: taken.dryRun ? 0 : imported,
          checked: imported + skipped,
          costUnknown: withoutCost,
        }),
        text: `${done('imported', imported, taken.dryRun)}${left}${costs}`,
        warnings: [
          ...(withoutCost > 0 && withoutCost < imported
            ? [`cost unknown for ${counted(withoutCost, 'proxy', 'proxies')}`]
            : []),
          ...(namelessCities.length > 0
            ? [`city codes without a name, which customers see as they are: ${namelessCities.join(', ')}`]
            : []),
          ...(severalPorts.length > 0
            ? [`addresses with several ports, each of which is sold by itself: ${severalPorts.join(', ')}`]
            : []),
        ],
      }
    },
  }),
  action({
    name: 'stock update',
    summary: `change the credentials of proxies that nobody uses: ${FILE_RULE}`,
    input: { csv: csvFile(UPDATE_COLUMNS.join(',')), dryRun },
    answer: z.object({ updated: z.int(), checked: z.int(), dry_run: z.boolean() }),
    async run({ core, by }, { csv, dryRun }) {
      const { updated } = await core.operator.updateStock(by, csv, dryRun)
      return {
        data: { updated: dryRun ? 0 : updated, checked: updated, dry_run: dryRun },
        text: done('updated', updated, dryRun),
      }
    },
  }),
  saleAction('disable', 'take addresses off sale; proxies that customers have stay with them', false),
  action({
    name: 'stock cost',
    summary: 'say what proxies cost you per month; it counts in the profit of what is sold from now on',
    input: { cost: typed(StockCostInUnits, '<amount>', 'of one proxy'), ...NAMED },
    answer: z.object({ proxies: z.int(), cost: z.number() }),
    async run({ core, by }, { cost, ...proxiesMeant }) {
      const proxies = await core.operator.setStockCost(by, { cost, ...named(proxiesMeant) })
      return {
        data: { proxies, cost },
        text: `Cost per month set for ${counted(proxies, 'proxy', 'proxies')}`,
      }
    },
  }),
  saleAction('enable', 'put addresses on sale again', true),
  action({
    name: 'stock resting',
    summary: 'proxies that wait for other credentials, as a CSV to be completed and given to `stock update`',
    input: { productNo: typed(z.string().optional(), '--product <number>', 'only those of this product') },
    answer: z.object({ items: RestingProxyRecord.array().schema }),
    reads: true,
    async run({ core }, { productNo }) {
      const items = await core.operator.listResting(productNo)
      const rows = items.map(({ ip, port, username }) => [ip, String(port), username, ''])
      return {
        data: { items: RestingProxyRecord.array().show(items) },
        text:
          items.length === 0
            ? 'No proxy waits for other credentials'
            : writePlainCsv([UPDATE_COLUMNS, ...rows]).trimEnd(),
      }
    },
  }),
  action({
    name: 'stock release-resting',
    summary: 'sell proxies as they are, with credentials that customers have had',
    input: NAMED,
    answer: z.object({ released: z.int() }),
    async run({ core, by }, proxiesMeant) {
      const released = await core.operator.releaseResting(by, named(proxiesMeant))
      return {
        data: { released },
        text: `On sale as they are: ${counted(released, 'proxy', 'proxies')}; whoever had them before knows their credentials`,
      }
    },
  }),
]

function saleAction(name: 'disable' | 'enable', summary: string, onSale: boolean): Action {
  return action({
    name: `stock ${name}`,
    summary,
    input: { ips: typed(z.array(z.string()), '<ip...>', ADDRESSES, { parse: address }) },
    answer: z.object({ proxies: z.int(), held: z.int(), resting: z.int(), on_sale: z.boolean() }),
    async run({ core, by }, { ips }) {
      const { proxies, held, resting } = await core.operator.setOnSale(by, { ips, onSale })
      return {
        data: { proxies, held, resting, on_sale: onSale },
        text: [
          `${counted(proxies, 'proxy is', 'proxies are')} ${onSale ? 'on' : 'off'} sale`,
          ...(held > 0 ? [`${held} of them when the order that has it gives it back`] : []),
          ...(onSale && resting > 0 ? [`${resting} of them when it has other credentials`] : []),
        ].join(', '),
      }
    },
  })
}

/** Formats the summary of an import or update. */
function done(what: 'imported' | 'updated', count: number, dryRun: boolean): string {
  const proxies = counted(count, 'proxy', 'proxies')
  if (dryRun) return `${proxies} can be ${what}; nothing was changed`
  return `${what === 'imported' ? 'Imported' : 'Updated'} ${proxies}`
}

/** Returns the proxies that are named: by address, or all of a product. */
function named({ ips, productNo }: z.output<z.ZodObject<typeof NAMED>>) {
  if (ips.length > 0 === (productNo !== undefined))
    throw wrongUse('Name addresses, or a product with --product')
  return productNo === undefined ? { ips } : { productNo }
}

const HEADING = ['PRODUCT', 'COUNTRY', 'STATE', 'CITY', 'FREE', 'HELD', 'RESTING', 'OFF SALE']

/** Formats the table of the stock; costs and suppliers are columns where there are any. */
function tableOf(places: readonly StockInPlace[]): string {
  const costed = places.some(({ leastCost }) => leastCost !== null)
  const supplied = places.some(({ supplier }) => supplier !== OWN_STOCK)
  const supplierOf = ({ supplier }: StockInPlace) => (supplier === OWN_STOCK ? '-' : supplier)
  return table([
    [...HEADING, ...(costed ? ['COST/MONTH'] : []), ...(supplied ? ['SUPPLIER'] : [])],
    ...places.map((place) => [
      ...rowOfPlace(place),
      ...(costed ? [costOf(place)] : []),
      ...(supplied ? [supplierOf(place)] : []),
    ]),
  ])
}

function costOf({ leastCost, mostCost }: StockInPlace): string {
  if (leastCost === null || mostCost === null) return '-'
  return leastCost === mostCost ? toText(leastCost) : `${toText(leastCost)}-${toText(mostCost)}`
}

function rowOfPlace({ productNo, countryCode, state, cityCode, ...numbers }: StockInPlace): string[] {
  const { free, held, resting, disabled } = numbers
  return [
    productNo,
    countryCode,
    state || '-',
    cityCode || '-',
    ...[free, held, resting, disabled].map((number) => String(number ?? '-')),
  ]
}
