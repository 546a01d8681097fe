import type { Command } from 'commander'
import { codes, wholeNumber } from '../arguments.ts'

/** How a product is shown to customers, and when its stock is low. */
export interface ProductDisplay {
  readonly descriptionEn?: string
  readonly descriptionZh?: string
  readonly shelf?: number
  readonly countries?: string[]
  readonly cities?: string[]
  readonly lowStock?: number
  readonly lowStockPlace?: number
}

/** Adds the options of {@link ProductDisplay}, which are the same for a new product and for one that is changed. */
export function withDisplayOptions(command: Command): Command {
  return command
    .option('--description-en <text>', 'English description, shown where the product is chosen')
    .option('--description-zh <text>', 'Chinese description')
    .option('--shelf <number>', 'place in lists: small numbers come first (0 at first)', wholeNumber)
    .option('--countries <codes>', 'where a dynamic product has exits, like US,GB; all: everywhere', codes)
    .option('--cities <codes>', 'the same for cities, like USNYC,GBLON', codes)
    .option(
      '--low-stock <number>',
      'operator chats are told when fewer are left (10 at first); 0: never',
      wholeNumber,
    )
    .option(
      '--low-stock-place <number>',
      'the same for each country and city of the product (1 at first: when a place is sold out)',
      wholeNumber,
    )
}

/** Picks those of {@link ProductDisplay} from all options of a command. */
export function displayOf(options: ProductDisplay) {
  const { descriptionEn, descriptionZh, shelf, countries, cities, lowStock, lowStockPlace } = options
  return { descriptionEn, descriptionZh, shelf, countries, cities, lowStock, lowStockPlace }
}
