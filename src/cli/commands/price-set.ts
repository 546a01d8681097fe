import { Command, Option } from 'commander'
import { fromNumber, toText } from '../../core/money.ts'
import { amount, wholeNumber } from '../arguments.ts'
import type { Run } from '../run.ts'

interface Options {
  readonly level?: number
  readonly user?: string
  readonly min: number
}

/** `price set PRODUCT PRICE [--level N | --user NAME] [--min Q]`. */
export function setPriceCommand(run: Run): Command {
  return new Command('set')
    .description('set a price for everybody, for a level, or for one account')
    .argument('<product>', 'product number')
    .argument('<price>', 'per IP and billing period, or per GB', amount)
    .addOption(
      new Option('--level <number>', 'for agents of this level and their sub-users')
        .argParser(wholeNumber)
        .conflicts('user'),
    )
    .option('--user <name>', 'for this account only')
    .option('--min <quantity>', 'from how many IPs or GB on', wholeNumber, 1)
    .action(
      run(async (session, productNo: string, price: number, { level, user, min }: Options) => {
        const core = await session.core()
        const { scope } = await core.operator.setPrice({
          productNo,
          price,
          minQuantity: min,
          ...(level === undefined ? {} : { level }),
          ...(user === undefined ? {} : { username: user }),
        })
        const whom = user !== undefined ? user : level !== undefined ? `level ${level}` : 'everybody'
        const from = min > 1 ? `, from ${min} on` : ''
        return {
          data: { product_no: productNo, scope, min_quantity: min, price, currency: session.currency },
          text: `${productNo} costs ${toText(fromNumber(price) ?? 0)} ${session.currency} for ${whom}${from}`,
        }
      }),
    )
}
