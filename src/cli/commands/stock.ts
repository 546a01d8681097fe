import { Command } from 'commander'
import type { StockInPlace } from '../../core/catalog/list-stock.ts'
import { address } from '../arguments.ts'
import { readText } from '../read-text.ts'
import type { Run } from '../run.ts'
import { counted, table } from '../table.ts'

/** `stock …`: the proxies that the operator sells (contract 10). */
export function stockCommands(run: Run): Command[] {
  return [
    listCommand(run),
    importCommand(run),
    updateCommand(run),
    sellCommand(run, 'disable', 'take addresses off sale; proxies that customers have stay with them', false),
    sellCommand(run, 'enable', 'put addresses on sale again', true),
  ]
}

function listCommand(run: Run): Command {
  return new Command('list').description('what is in the stock, place by place').action(
    run(async (session) => {
      const places = await (await session.core()).operator.listStock()
      return {
        data: { items: places.map(record) },
        text: places.length === 0 ? 'The stock is empty' : table([HEADING, ...places.map(row)]),
      }
    }),
  )
}

function importCommand(run: Run): Command {
  return new Command('import')
    .description('take proxies into the stock: all lines of the file, or none when one is bad')
    .argument(
      '<file>',
      'CSV with the heading product_no,ip,port,username,password,country_code,state,city_code,cidr',
    )
    .option('--dry-run', 'only check the file')
    .action(
      run(async (session, file: string, options: { dryRun?: true }) => {
        const csv = await readText(file)
        const core = await session.core()
        const { imported, dryRun } = await core.operator.importStock(csv, options.dryRun ?? false)
        const proxies = counted(imported, 'proxy', 'proxies')
        return {
          data: { imported: dryRun ? 0 : imported, checked: imported, dry_run: dryRun },
          text: dryRun ? `${proxies} can be imported; nothing was changed` : `Imported ${proxies}`,
        }
      }),
    )
}

function updateCommand(run: Run): Command {
  return new Command('update')
    .description('give proxies that nobody uses other credentials: all lines of the file, or none')
    .argument('<file>', 'CSV with the heading ip,port,username,password')
    .option('--dry-run', 'only check the file')
    .action(
      run(async (session, file: string, options: { dryRun?: true }) => {
        const csv = await readText(file)
        const core = await session.core()
        const { updated, dryRun } = await core.operator.updateStock(csv, options.dryRun ?? false)
        const proxies = counted(updated, 'proxy', 'proxies')
        return {
          data: { updated: dryRun ? 0 : updated, checked: updated, dry_run: dryRun },
          text: dryRun ? `${proxies} can be updated; nothing was changed` : `Updated ${proxies}`,
        }
      }),
    )
}

function sellCommand(run: Run, name: string, description: string, onSale: boolean): Command {
  return new Command(name)
    .description(description)
    .argument('<ip...>', 'addresses; all proxies on a shared one', address)
    .action(
      run(async (session, ips: string[]) => {
        const { proxies, held } = await (await session.core()).operator.sellStock({ ips, onSale })
        const sale = `${counted(proxies, 'proxy is', 'proxies are')} ${onSale ? 'on' : 'off'} sale`
        return {
          data: { proxies, held, on_sale: onSale },
          text: held > 0 ? `${sale}, ${held} of them when the order that has it gives it back` : sale,
        }
      }),
    )
}

const HEADING = ['PRODUCT', 'COUNTRY', 'STATE', 'CITY', 'FREE', 'HELD', 'OFF SALE']

function row({ productNo, countryCode, state, cityCode, free, held, disabled }: StockInPlace): string[] {
  return [productNo, countryCode, state || '-', cityCode || '-', ...[free, held, disabled].map(String)]
}

function record({ productNo, countryCode, state, cityCode, free, held, disabled }: StockInPlace): object {
  return {
    product_no: productNo,
    country_code: countryCode,
    state,
    city_code: cityCode,
    free,
    held,
    disabled,
  }
}
