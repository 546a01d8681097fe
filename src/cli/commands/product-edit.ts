import { Command, Option } from 'commander'
import { codes, project, wholeNumber } from '../arguments.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Run } from '../run.ts'
import { LOW_STOCK_HELP, LOW_STOCK_PLACE_HELP } from './product-add.ts'

interface Options {
  readonly nameEn?: string
  readonly nameZh?: string
  readonly enable?: true
  readonly disable?: true
  readonly yes?: true
  readonly descriptionEn?: string
  readonly descriptionZh?: string
  readonly shelf?: number
  readonly countries?: string[]
  readonly cities?: string[]
  readonly refundHours?: number
  readonly project?: { code: string; name: string }[]
  readonly gateway?: string
  readonly cidr?: boolean
  readonly assignIp?: boolean
  readonly lowStock?: number
  readonly lowStockPlace?: number
}

/** `product edit NUMBER …`: changes what is named, and nothing else. */
export function editProductCommand(run: Run): Command {
  return new Command('edit')
    .description('change a product; what is not named stays as it is')
    .argument('<number>', 'product number')
    .option('--name-en <text>', 'English name')
    .option('--name-zh <text>', 'Chinese name')
    .addOption(new Option('--enable', 'offer it').conflicts('disable'))
    .option('--disable', 'stop selling it; existing orders go on')
    .option('--yes', YES_HELP)
    .option(
      '--refund-hours <hours>',
      'how long a cancellation is refunded, for existing orders too; less than the billing period',
      wholeNumber,
    )
    .option('--project <code=name>', 'projects of a shared product; repeatable, replaces them all', project)
    .option('--gateway <host:port>', 'where the gateway of a dynamic product listens')
    .option('--cidr', 'orders may name CIDR ranges')
    .option('--no-cidr', 'they may not')
    .option('--assign-ip', 'orders may name addresses')
    .option('--no-assign-ip', 'they may not')
    .option('--description-en <text>', 'English description, shown where the product is chosen')
    .option('--description-zh <text>', 'Chinese description')
    .option('--shelf <number>', 'place in lists: small numbers come first (0 at first)', wholeNumber)
    .option('--countries <codes>', 'where a dynamic product has exits, like US,GB; all: everywhere', codes)
    .option('--cities <codes>', 'the same for cities, like USNYC,GBLON', codes)
    .option('--low-stock <number>', LOW_STOCK_HELP, wholeNumber)
    .option('--low-stock-place <number>', LOW_STOCK_PLACE_HELP, wholeNumber)
    .action(
      run(async (session, number: string, options: Options) => {
        if (options.disable) await confirm(session, `Stop selling the product ${number}?`, options.yes)
        const core = await session.core()
        await core.operator.editProduct(number, {
          nameEn: options.nameEn,
          nameZh: options.nameZh,
          enabled: options.enable ? true : options.disable ? false : undefined,
          refundHours: options.refundHours,
          projects: options.project,
          gateway: options.gateway,
          cidrSupported: options.cidr,
          assignIpSupported: options.assignIp,
          descriptionEn: options.descriptionEn,
          descriptionZh: options.descriptionZh,
          shelf: options.shelf,
          countries: options.countries,
          cities: options.cities,
          lowStock: options.lowStock,
          lowStockPlace: options.lowStockPlace,
        })
        return { data: { product_no: number }, text: `Changed product ${number}` }
      }),
    )
}
