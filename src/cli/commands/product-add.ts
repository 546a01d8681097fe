import { Command, Option } from 'commander'
import { POOLS, PROXY_TYPES, type ProxyType } from '../../core/catalog/product.ts'
import { amount, FREE_HELP, meantPrice, type Period, period, project, wholeNumber } from '../arguments.ts'
import type { Run } from '../run.ts'
import { displayOf, type ProductDisplay, withDisplayOptions } from './product-display.ts'

interface Options extends ProductDisplay {
  readonly nameEn: string
  readonly nameZh: string
  readonly price: number
  readonly free?: true
  readonly type: string
  readonly period?: Period
  readonly pool?: (typeof POOLS)[number]
  readonly gateway?: string
  readonly shared?: true
  readonly project?: { code: string; name: string }[]
  readonly refundHours?: number
  readonly cidr?: true
  readonly assignIp?: true
}

/** `product add NUMBER …`: adds a product with its price. */
export function addProductCommand(run: Run): Command {
  const command = new Command('add')
    .description('add a product with its price')
    .argument('<number>', 'product number: 1-32 letters, digits, _ or -')
    .requiredOption('--name-en <text>', 'English name')
    .requiredOption('--name-zh <text>', 'Chinese name')
    .requiredOption('--price <amount>', 'per IP and billing period, or per GB', amount)
    .option('--free', FREE_HELP)
    .addOption(
      new Option(
        '--type <number>',
        '101 static cloud, 102 static residential domestic, 103 static residential overseas, 104 dynamic overseas, 105 dynamic domestic',
      )
        .choices(PROXY_TYPES.map(String))
        .default('103'),
    )
    .addOption(
      new Option(
        '--period <length>',
        'billing period of a static product, like 30day (default: 1month)',
      ).argParser(period),
    )
    .addOption(
      new Option('--pool <name>', 'traffic pool of a dynamic product')
        .choices(POOLS)
        .conflicts(['period', 'shared', 'cidr', 'assignIp']),
    )
    .option('--gateway <host:port>', 'where the gateway of a dynamic product listens')
    .option('--shared', 'sold to several customers at once; without it exclusive')
    .option('--project <code=name>', 'project of a shared product; repeatable', project)
    .option(
      '--refund-hours <hours>',
      'how long a cancellation is refunded; less than the billing period (default: 24, billed by days 0)',
      wholeNumber,
    )
    .option('--cidr', 'orders may name CIDR ranges')
    .option('--assign-ip', 'orders may name addresses')
  return withDisplayOptions(command).action(
    run(async (session, number: string, options: Options) => {
      const { nameEn, nameZh, pool, gateway, refundHours } = options
      const price = meantPrice(options.price, options.free)
      const core = await session.core('create')
      const { productNo } = await core.operator.addProduct({
        productNo: number,
        nameEn,
        nameZh,
        price,
        proxyType: Number(options.type) as ProxyType,
        refundHours,
        shared: options.shared ?? false,
        projects: options.project ?? [],
        cidrSupported: options.cidr ?? false,
        assignIpSupported: options.assignIp ?? false,
        ...displayOf(options),
        ...options.period,
        ...(pool ? { pool } : {}),
        ...(gateway === undefined ? {} : { gateway }),
      })
      return { data: { product_no: productNo }, text: `Added product ${productNo}` }
    }),
  )
}
