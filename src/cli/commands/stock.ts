import { Command } from 'commander'
import type { ImportOptions } from '../../core/catalog/import-stock.ts'
import type { StockInPlace } from '../../core/catalog/list-stock.ts'
import { OWN_STOCK } from '../../core/catalog/product.ts'
import { writePlainCsv } from '../../core/csv.ts'
import { toNumber, toText } from '../../core/money.ts'
import { address, amount } from '../arguments.ts'
import { readText } from '../read-text.ts'
import { Refusal } from '../../operator/refusal.ts'
import type { Run } from '../run.ts'
import { counted, table } from '../../operator/table.ts'

/** `stock …`: the proxies that the operator sells (rules 10.7, 10.8). */
export function stockCommands(run: Run): Command[] {
  return [
    listCommand(run),
    importCommand(run),
    updateCommand(run),
    saleCommand(run, 'disable', 'take addresses off sale; proxies that customers have stay with them', false),
    costCommand(run),
    saleCommand(run, 'enable', 'put addresses on sale again', true),
    restingCommand(run),
    releaseRestingCommand(run),
  ]
}

function listCommand(run: Run): Command {
  return new Command('list').description('what is in the stock, place by place').action(
    run(async (session) => {
      const places = await (await session.core()).operator.listStock()
      return {
        data: { items: places.map(recordOfPlace) },
        text: places.length === 0 ? 'The stock is empty' : tableOf(places),
      }
    }),
  )
}

const FILE_RULE = 'all lines of the file, or none when one is bad'

function importCommand(run: Run): Command {
  return new Command('import')
    .description(`take proxies into the stock: ${FILE_RULE}`)
    .argument(
      '<file>',
      'CSV ("-": from standard input) with the heading product_no,ip,port,username,password,country_code,state,city_code,cidr, and cost where it says it',
    )
    .option('--cost <amount>', 'what a proxy costs you per month, where its line does not say it', amount)
    .option('--dry-run', 'only check the file')
    .option('--skip-existing', 'leave out proxies that are in the stock already')
    .action(
      run(async (session, file: string, options: ImportOptions) => {
        const csv = await readText(session, file)
        const taken = await (await session.core()).operator.importStock(session.by, csv, options)
        const { imported, skipped, dryRun, namelessCities, severalPorts, monthlyCost, withoutCost } = taken
        const left = skipped > 0 ? `; ${skipped} ${skipped === 1 ? 'is' : 'are'} in the stock already` : ''
        return {
          data: {
            imported: dryRun ? 0 : imported,
            checked: imported + skipped,
            skipped,
            dry_run: dryRun,
            monthly_cost: toNumber(monthlyCost),
            cost_unknown: withoutCost,
          },
          text: `${done('imported', imported, dryRun)}${left}${withoutCost < imported ? `; they cost ${toText(monthlyCost)} a month` : ''}`,
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
      }),
    )
}

function updateCommand(run: Run): Command {
  return new Command('update')
    .description(`change the credentials of proxies that nobody uses: ${FILE_RULE}`)
    .argument('<file>', `CSV ("-": from standard input) with the heading ${UPDATE_COLUMNS.join(',')}`)
    .option('--dry-run', 'only check the file')
    .action(
      run(async (session, file: string, { dryRun = false }: { dryRun?: boolean }) => {
        const csv = await readText(session, file)
        const { updated } = await (await session.core()).operator.updateStock(session.by, csv, dryRun)
        return {
          data: { updated: dryRun ? 0 : updated, checked: updated, dry_run: dryRun },
          text: done('updated', updated, dryRun),
        }
      }),
    )
}

/** Formats the summary of an import or update. */
function done(what: 'imported' | 'updated', count: number, dryRun: boolean): string {
  const proxies = counted(count, 'proxy', 'proxies')
  if (dryRun) return `${proxies} can be ${what}; nothing was changed`
  return `${what === 'imported' ? 'Imported' : 'Updated'} ${proxies}`
}

function saleCommand(run: Run, name: string, description: string, onSale: boolean): Command {
  return new Command(name)
    .description(description)
    .argument('<ip...>', 'addresses, each with all its proxies, or single proxies as IP:PORT', address)
    .action(
      run(async (session, ips: string[]) => {
        const { operator } = await session.core()
        const { proxies, held, resting } = await operator.setOnSale(session.by, { ips, onSale })
        const sale = `${counted(proxies, 'proxy is', 'proxies are')} ${onSale ? 'on' : 'off'} sale`
        return {
          data: { proxies, held, resting, on_sale: onSale },
          text: [
            sale,
            ...(held > 0 ? [`${held} of them when the order that has it gives it back`] : []),
            ...(onSale && resting > 0 ? [`${resting} of them when it has other credentials`] : []),
          ].join(', '),
        }
      }),
    )
}

/** `stock cost`: what proxies cost per month, for the profit (rules 11.18). */
function costCommand(run: Run): Command {
  return new Command('cost')
    .description('say what proxies cost you per month; it counts in the profit of what is sold from now on')
    .argument('<amount>', 'of one proxy', amount)
    .argument('[ip...]', 'addresses, each with all its proxies, or single proxies as IP:PORT', address)
    .option('--product <number>', 'all of this product instead')
    .action(
      run(async (session, cost: number, ips: string[] = [], { product }: { product?: string }) => {
        const { operator } = await session.core()
        const proxies = await operator.setStockCost(session.by, { cost, ...named(ips, product) })
        return {
          data: { proxies, cost },
          text: `Cost per month set for ${counted(proxies, 'proxy', 'proxies')}`,
        }
      }),
    )
}

/** Returns the proxies that a command names: by address, or all of a product. */
function named(ips: string[], product: string | undefined): { ips: string[] } | { productNo: string } {
  if (ips.length > 0 === (product !== undefined))
    throw new Refusal('usage', 'Name addresses, or a product with --product', { exitStatus: 2 })
  return product === undefined ? { ips } : { productNo: product }
}

/** `stock resting`: proxies that wait for new credentials, as a file for `stock update` in which the passwords are missing. */
function restingCommand(run: Run): Command {
  return new Command('resting')
    .description(
      'proxies that wait for other credentials, as a CSV to be completed and given to `stock update`',
    )
    .option('--product <number>', 'only those of this product')
    .action(
      run(async (session, { product }: { product?: string }) => {
        const items = await (await session.core()).operator.listResting(product)
        const rows = items.map(({ ip, port, username }) => [ip, String(port), username, ''])
        return {
          data: { items: items.map(({ productNo, ...proxy }) => ({ product_no: productNo, ...proxy })) },
          text:
            items.length === 0
              ? 'No proxy waits for other credentials'
              : writePlainCsv([UPDATE_COLUMNS, ...rows]).trimEnd(),
        }
      }),
    )
}

function releaseRestingCommand(run: Run): Command {
  return new Command('release-resting')
    .description('sell proxies as they are, with credentials that customers have had')
    .argument('[ip...]', 'addresses, each with all its proxies, or single proxies as IP:PORT', address)
    .option('--product <number>', 'all of this product instead')
    .action(
      run(async (session, ips: string[] = [], { product }: { product?: string }) => {
        const { operator } = await session.core()
        const released = await operator.releaseResting(session.by, named(ips, product))
        return {
          data: { released },
          text: `On sale as they are: ${counted(released, 'proxy', 'proxies')}; whoever had them before knows their credentials`,
        }
      }),
    )
}

const UPDATE_COLUMNS = ['ip', 'port', 'username', 'password']
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

function recordOfPlace(place: StockInPlace): object {
  const { productNo, countryCode, state, cityCode, leastCost, mostCost, ...numbers } = place
  return {
    product_no: productNo,
    country_code: countryCode,
    state,
    city_code: cityCode,
    ...numbers,
    least_cost: leastCost === null ? null : toNumber(leastCost),
    most_cost: mostCost === null ? null : toNumber(mostCost),
  }
}
