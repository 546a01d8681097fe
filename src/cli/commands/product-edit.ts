import { Command, Option } from 'commander'
import { amount, collected, FREE_HELP, meantPrice, place, project, wholeNumber } from '../arguments.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Run } from '../run.ts'
import { displayOf, type ProductDisplay, withDisplayOptions, withNameOptions } from './product-display.ts'
import {
  marginsOf,
  type ProductSupply,
  replacementOf,
  uncoveredWarning,
  withSupplyOptions,
} from './product-supply.ts'

interface Options extends ProductDisplay, ProductSupply {
  readonly enable?: true
  readonly disable?: true
  readonly yes?: true
  readonly refundHours?: number
  readonly project?: { code: string; name: string }[]
  readonly gateway?: string
  readonly cidr?: boolean
  readonly assignIp?: boolean
  readonly addOffer?: string[]
  readonly removeOffer?: string[]
  readonly price?: number
  readonly free?: true
  readonly place?: ReturnType<typeof place>
  readonly usualMargin?: true
}

/** `product edit NUMBER …`: changes the given fields of a product. */
export function editProductCommand(run: Run): Command {
  const command = withNameOptions(
    new Command('edit')
      .description('change a product; what is not named stays as it is')
      .argument('<number>', 'product number'),
  )
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
    .option('--add-offer <number>', 'sell another offer of the supplier; repeatable', collected)
    .option(
      '--remove-offer <number>',
      'stop selling an offer; proxies bought there are not renewed; repeatable',
      collected,
    )
    .option(
      '--price <amount>',
      'of a supplied product: a fixed price for everybody, in place of a margin',
      amount,
    )
    .option('--free', FREE_HELP)
    .option(
      '--place <place>',
      'change the margins in this place alone: country and city, like US or US/USLAX',
      place,
    )
    .option('--usual-margin', 'with --place: the margins of the product hold there again')
  return withDisplayOptions(withSupplyOptions(command)).action(
    run(async (session, number: string, options: Options) => {
      if (options.disable) await confirm(session, `Stop selling the product ${number}?`, options.yes)
      const core = await session.core()
      const { price, free } = options
      const { uncovered } = await core.operator.editProduct(session.by, number, {
        enabled: options.enable ? true : options.disable ? false : undefined,
        refundHours: options.refundHours,
        projects: options.project,
        gateway: options.gateway,
        cidrSupported: options.cidr,
        assignIpSupported: options.assignIp,
        addOffers: options.addOffer,
        removeOffers: options.removeOffer,
        price: price === undefined ? undefined : meantPrice(price, free),
        place: options.place,
        usualMargin: options.usualMargin,
        ...marginsOf(options),
        ...replacementOf(options),
        ...displayOf(options),
      })
      return {
        data: { product_no: number },
        text: `Changed product ${number}`,
        warnings: uncoveredWarning(uncovered),
      }
    }),
  )
}
