import { Command, Option } from 'commander'
import { fromNumber, toText } from '../../core/money.ts'
import { termsForWire } from '../../core/earnings/agent-price-terms.ts'
import { amount, FREE_HELP, meantPrice, percent, wholeNumber } from '../arguments.ts'
import type { Run } from '../run.ts'

interface Options {
  readonly level?: number
  readonly user?: string
  readonly min: number
  readonly free?: true
}

/**
 * `price set PRODUCT PRICE …` and `price remove PRODUCT …`, each with `[--level N | --user NAME] [--min Q]`, and `price agents`.
 */
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
  return [set, remove, agentsCommand(run)]
}

interface Terms {
  readonly limit?: number
  readonly step?: number
}

/** `price agents [--limit N] [--step AMOUNT]` (rules 13.13). */
function agentsCommand(run: Run): Command {
  return new Command('agents')
    .description('within what agents set the prices of their sub-users; without options, shows it')
    .option(
      '--limit <times>',
      'the most, as a multiple of the price of the shop: 1-101, such as 2.5',
      percent,
    )
    .option(
      '--step <amount>',
      'to multiples of what a markup is rounded up: 0.000001-1, such as 0.01',
      amount,
    )
    .action(
      run(async (session, terms: Terms) => {
        const { operator } = await session.core()
        const isSet = terms.limit !== undefined || terms.step !== undefined
        const { limit, step } = termsForWire(
          isSet ? await operator.setAgentPriceTerms(session.by, terms) : await operator.agentPriceTerms(),
        )
        const rounded = `${toText(fromNumber(step) ?? 0)} ${session.currency}`
        return {
          data: { limit, step, currency: session.currency },
          text: `Sub-users of agents pay at most ${limit} times the price of the shop; markups are rounded up to multiples of ${rounded}`,
        }
      }),
    )
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
    .option('--user <name>', 'for this account only; of a sub-user, what its agent’s markup comes on top of')
    .option('--min <quantity>', 'from how many IPs or GB on', wholeNumber, 1)
}

function nameOf(productNo: string, { level, user, min }: Options) {
  return { productNo, level, username: user, minQuantity: min }
}

function whomOf({ level, user, min }: Options): string {
  const whom = user ?? (level === undefined ? 'everybody' : `level ${level}`)
  return min > 1 ? `${whom}, from ${min} on` : whom
}
