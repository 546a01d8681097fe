import { Command, Option } from 'commander'
import { project, wholeNumber } from '../arguments.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Run } from '../run.ts'
import { displayOf, type ProductDisplay, withDisplayOptions } from './product-display.ts'

interface Options extends ProductDisplay {
  readonly nameEn?: string
  readonly nameZh?: string
  readonly enable?: true
  readonly disable?: true
  readonly yes?: true
  readonly refundHours?: number
  readonly project?: { code: string; name: string }[]
  readonly gateway?: string
  readonly replace?: 'auto' | 'ask' | 'never'
  readonly replaceLimit?: number
  readonly cidr?: boolean
  readonly assignIp?: boolean
}

/** `product edit NUMBER …`: changes the given fields of a product. */
export function editProductCommand(run: Run): Command {
  const command = new Command('edit')
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
    .addOption(
      new Option(
        '--replace <policy>',
        'customers replace proxies: auto where a check or the age is ground enough, ask for a decision, never',
      ).choices(['auto', 'ask', 'never']),
    )
    .option(
      '--replace-limit <number>',
      'how often a proxy is replaced in a term without a decision',
      wholeNumber,
    )
    .option('--cidr', 'orders may name CIDR ranges')
    .option('--no-cidr', 'they may not')
    .option('--assign-ip', 'orders may name addresses')
    .option('--no-assign-ip', 'they may not')
  return withDisplayOptions(command).action(
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
        replacePolicy: options.replace,
        replaceLimit: options.replaceLimit,
        cidrSupported: options.cidr,
        assignIpSupported: options.assignIp,
        ...displayOf(options),
      })
      return { data: { product_no: number }, text: `Changed product ${number}` }
    }),
  )
}
