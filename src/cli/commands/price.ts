import { Command, Option } from 'commander'
import { fromNumber, toText } from '../../core/money.ts'
import { amount, FREE_HELP, meantPrice, wholeNumber } from '../arguments.ts'
import type { Run } from '../run.ts'

interface Options {
  readonly level?: number
  readonly user?: string
  readonly min: number
  readonly free?: true
}

/** `price set PRODUCT PRICE …` and `price remove PRODUCT …`, each with `[--level N | --user NAME] [--min Q]`. */
export function priceCommands(run: Run): Command[] {
  const set = command('set', 'set a price for everybody, for a level, or for one account')
    .argument('<price>', 'per IP and billing period, or per GB', amount)
    .option('--free', FREE_HELP)
    .action(
      run(async (session, productNo: string, price: number, options: Options) => {
        meantPrice(price, options.free)
        const core = await session.core()
        const { scope } = await core.operator.setPrice(session.by, { ...nameOf(productNo, options), price })
        const costs = `${toText(fromNumber(price) ?? 0)} ${session.currency}`
        return {
          data: {
            product_no: productNo,
            scope,
            min_quantity: options.min,
            price,
            currency: session.currency,
          },
          text: `${productNo} costs ${costs} for ${whomOf(options)}`,
        }
      }),
    )
  const remove = command('remove', 'remove a price; the next one that fits applies instead').action(
    run(async (session, productNo: string, options: Options) => {
      const core = await session.core()
      const { scope } = await core.operator.removePrice(session.by, nameOf(productNo, options))
      return {
        data: { product_no: productNo, scope, min_quantity: options.min },
        text: `${productNo} has no price of its own any more for ${whomOf(options)}`,
      }
    }),
  )
  return [set, remove]
}

function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<product>', 'product number')
    .addOption(
      new Option('--level <number>', 'for agents of this level and their sub-users')
        .argParser(wholeNumber)
        .conflicts('user'),
    )
    .option('--user <name>', 'for this account only')
    .option('--min <quantity>', 'from how many IPs or GB on', wholeNumber, 1)
}

function nameOf(productNo: string, { level, user, min }: Options) {
  return { productNo, level, username: user, minQuantity: min }
}

function whomOf({ level, user, min }: Options): string {
  const whom = user ?? (level === undefined ? 'everybody' : `level ${level}`)
  return min > 1 ? `${whom}, from ${min} on` : whom
}
