import type { Command } from 'commander'
import { type Language, LANGUAGES } from '../../core/languages.ts'
import { type FieldsByLanguage, translationsOf } from '../../core/translations.ts'
import { codes, wholeNumber } from '../arguments.ts'

type Texts = FieldsByLanguage<'name' | 'description', Record<Language, string>>

/** How a product is shown to customers, and when its stock is low. */
export interface ProductDisplay extends Partial<Texts> {
  readonly shelf?: number
  readonly countries?: string[]
  readonly cities?: string[]
  readonly lowStock?: number
  readonly lowStockPlace?: number
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

/** Adds an option for the name in each language. */
export function withNameOptions(command: Command, required: readonly Language[] = []): Command {
  for (const language of LANGUAGES) {
    const option = [`--name-${language} <text>`, `${languageNames.of(language)} name`] as const
    if (required.includes(language)) command.requiredOption(...option)
    else command.option(...option)
  }
  return command
}

/** Adds the other options of {@link ProductDisplay}, which are the same for a new product and for one that is changed. */
export function withDisplayOptions(command: Command): Command {
  for (const language of LANGUAGES)
    command.option(
      `--description-${language} <text>`,
      `${languageNames.of(language)} description${language === LANGUAGES[0] ? ', shown where the product is chosen' : ''}`,
    )
  return command
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
  const { shelf, countries, cities, lowStock, lowStockPlace } = options
  const [names, descriptions] = [translationsOf(options, 'name'), translationsOf(options, 'description')]
  return { names, descriptions, shelf, countries, cities, lowStock, lowStockPlace }
}
