import { Command, Option } from 'commander'
import { POOLS, PROXY_TYPES, type ProxyType } from '../../core/catalog/product.ts'
import {
  amount,
  collected,
  FREE_HELP,
  meantPrice,
  type Period,
  period,
  project,
  wholeNumber,
} from '../arguments.ts'
import { Refusal } from '../../operator/refusal.ts'
import { dashed } from '../refusal-texts.ts'
import type { Core } from '../../core/core.ts'
import type { Operator } from '../../core/people/operator.ts'
import type { Run } from '../run.ts'
import { NAMED_LANGUAGES } from '../../core/catalog/product-texts.ts'
import { displayOf, type ProductDisplay, withDisplayOptions, withNameOptions } from './product-display.ts'
import {
  marginsOf,
  type ProductSupply,
  replacementOf,
  uncoveredWarning,
  withSupplyOptions,
} from './product-supply.ts'

interface Options extends ProductDisplay, ProductSupply {
  readonly price?: number
  readonly free?: true
  readonly type?: string
  readonly period?: Period
  readonly pool?: (typeof POOLS)[number]
  readonly gateway?: string
  readonly shared?: true
  readonly project?: { code: string; name: string }[]
  readonly refundHours?: number
  readonly cidr?: true
  readonly assignIp?: true
  readonly supplier?: string
  readonly offer?: string[]
}

/** `product add NUMBER …`: adds a product with its price. */
export function addProductCommand(run: Run): Command {
  const command = withNameOptions(
    new Command('add')
      .description('add a product with its price')
      .argument('<number>', 'product number: 1-32 letters, digits, _ or -'),
    NAMED_LANGUAGES,
  )
    .option(
      '--price <amount>',
      'per IP and billing period, or per GB; of a supplied product instead of a margin',
      amount,
    )
    .option('--free', FREE_HELP)
    .addOption(
      new Option(
        '--type <number>',
        '101 static cloud, 102 static residential domestic, 103 static residential overseas, 104 dynamic overseas, 105 dynamic domestic (default: 103)',
      ).choices(PROXY_TYPES.map(String)),
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
    .addOption(
      new Option(
        '--supplier <name>',
        'connection that delivers it: type, period, projects and places are those of its offers',
      ).conflicts([
        'type',
        'period',
        'pool',
        'gateway',
        'shared',
        'project',
        'assignIp',
        'countries',
        'cities',
      ]),
    )
    .option('--offer <number>', 'offer of the supplier, one for each place; repeatable', collected)
  return withDisplayOptions(withSupplyOptions(command)).action(
    run(async (session, number: string, options: Options) => {
      const core = await session.core('create')
      const { uncovered } = await (options.supplier === undefined
        ? addOwn(core, session.by, number, options)
        : addSupplied(core, session.by, number, options.supplier, options))
      return {
        data: { product_no: number },
        text: `Added product ${number}`,
        warnings: uncoveredWarning(uncovered),
      }
    }),
  )
}

/** Adds a product of the own stock, or one that is sold by traffic. */
async function addOwn(
  core: Core,
  by: Operator,
  productNo: string,
  options: Options,
): Promise<{ uncovered: string[] }> {
  const { pool, gateway, refundHours, price, free } = options
  const display = displayOf(options)
  for (const name of ['offer', 'margin', 'marginPercent', 'minMarginPercent'] as const)
    if (options[name] !== undefined) throw usage(`--${dashed(name)} is for products with --supplier`)
  if (price === undefined) throw usage('Add the price with --price')
  await core.operator.addProduct(by, {
    productNo,
    price: meantPrice(price, free),
    proxyType: Number(options.type ?? '103') as ProxyType,
    refundHours,
    shared: options.shared ?? false,
    projects: options.project ?? [],
    cidrSupported: options.cidr ?? false,
    assignIpSupported: options.assignIp ?? false,
    ...replacementOf(options),
    ...display,
    names: display.names ?? {},
    ...options.period,
    ...(pool ? { pool } : {}),
    ...(gateway === undefined ? {} : { gateway }),
  })
  return { uncovered: [] }
}

function addSupplied(core: Core, by: Operator, productNo: string, supplier: string, options: Options) {
  const { price, free, refundHours } = options
  const { countries: _countries, cities: _cities, names, ...display } = displayOf(options)
  return core.operator.addSuppliedProduct(by, {
    productNo,
    supplier,
    offers: options.offer ?? [],
    refundHours,
    cidrSupported: options.cidr ?? false,
    ...(price === undefined ? {} : { price: meantPrice(price, free) }),
    ...marginsOf(options),
    ...replacementOf(options),
    ...display,
    names: names ?? {},
  })
}

function usage(message: string): Refusal {
  return new Refusal('usage', message, { exitStatus: 2 })
}
