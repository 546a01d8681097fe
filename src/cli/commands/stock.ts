import { Command } from 'commander'
import type { Core } from '../../core/core.ts'
import type { StockInPlace } from '../../core/catalog/list-stock.ts'
import { address } from '../arguments.ts'
import { readText } from '../read-text.ts'
import type { Run } from '../run.ts'
import { counted, table } from '../table.ts'

/** `stock …`: the proxies that the operator sells (contract 10). */
export function stockCommands(run: Run): Command[] {
  return [
    listCommand(run),
    fileCommand(run, {
      name: 'import',
      description: 'take proxies into the stock',
      heading: 'product_no,ip,port,username,password,country_code,state,city_code,cidr',
      done: 'imported',
      take: async ({ operator }, csv, dryRun) => (await operator.importStock(csv, dryRun)).imported,
    }),
    fileCommand(run, {
      name: 'update',
      description: 'change the credentials of proxies that nobody uses',
      heading: 'ip,port,username,password',
      done: 'updated',
      take: async ({ operator }, csv, dryRun) => (await operator.updateStock(csv, dryRun)).updated,
    }),
    saleCommand(run, 'disable', 'take addresses off sale; proxies that customers have stay with them', false),
    saleCommand(run, 'enable', 'put addresses on sale again', true),
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

interface FileCommand {
  readonly name: string
  readonly description: string
  /** Of the file: its columns. */
  readonly heading: string
  /** What has happened to the proxies. */
  readonly done: 'imported' | 'updated'
  /** @returns how many proxies the file has, all of which are fine */
  readonly take: (core: Core, csv: string, dryRun: boolean) => Promise<number>
}

function fileCommand(run: Run, { name, description, heading, done, take }: FileCommand): Command {
  return new Command(name)
    .description(`${description}: all lines of the file, or none when one is bad`)
    .argument('<file>', `CSV with the heading ${heading}`)
    .option('--dry-run', 'only check the file')
    .action(
      run(async (session, file: string, { dryRun = false }: { dryRun?: boolean }) => {
        const csv = await readText(file)
        const checked = await take(await session.core(), csv, dryRun)
        const proxies = counted(checked, 'proxy', 'proxies')
        return {
          data: { [done]: dryRun ? 0 : checked, checked, dry_run: dryRun },
          text: dryRun
            ? `${proxies} can be ${done}; nothing was changed`
            : `${done === 'imported' ? 'Imported' : 'Updated'} ${proxies}`,
        }
      }),
    )
}

function saleCommand(run: Run, name: string, description: string, onSale: boolean): Command {
  return new Command(name)
    .description(description)
    .argument('<ip...>', 'addresses; takes every proxy on an address', address)
    .action(
      run(async (session, ips: string[]) => {
        const { proxies, held } = await (await session.core()).operator.setOnSale({ ips, onSale })
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
