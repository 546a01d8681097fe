import { type Command, Option } from 'commander'
import { amount, percent, wholeNumber } from '../arguments.ts'
import type { NewProduct } from '../../core/catalog/manage-products.ts'
import type { z } from 'zod'

type ReplacePolicy = NonNullable<z.input<typeof NewProduct>['replacePolicy']>

/** Margins of a supplied product, and who may have a dead proxy of a product replaced. */
export interface ProductSupply {
  readonly margin?: number
  readonly marginPercent?: number
  readonly minMarginPercent?: number
  readonly replace?: ReplacePolicy
  readonly replaceLimit?: number
}

/** Adds the options of {@link ProductSupply}, which are the same for a new product and for one that is changed. */
export function withSupplyOptions(command: Command): Command {
  return command
    .option('--margin <amount>', 'of a supplied product: the price is its cost plus this amount', amount)
    .option(
      '--margin-percent <percent>',
      'the same as a part of the cost; with both, the larger one counts',
      percent,
    )
    .option(
      '--min-margin-percent <percent>',
      'of a supplied product: not sold where less of the price is left above the cost (0 at first)',
      percent,
    )
    .addOption(
      new Option('--replace <policy>', 'who may have a dead proxy replaced (ask at first)').choices([
        'auto',
        'ask',
        'never',
      ] satisfies ReplacePolicy[]),
    )
    .option('--replace-limit <number>', 'how often in a term (1 at first)', wholeNumber)
}

/** Picks the options for the prices of a supplied product. */
export function marginsOf({ margin, marginPercent, minMarginPercent }: ProductSupply) {
  return { marginAmount: margin, marginPercent, minMarginPercent }
}

export function replacementOf({ replace, replaceLimit }: ProductSupply) {
  return { replacePolicy: replace, replaceLimit }
}

/** Warns of offers whose cost the price does not cover. */
export function uncoveredWarning(offers: readonly string[]): string[] {
  return offers.length === 0
    ? []
    : [`offers that are not sold, because the price does not cover their cost: ${offers.join(', ')}`]
}
