import type { Language } from '../../core/languages.ts'
import { type Translations, translationIn } from '../../core/translations.ts'
import { html, type Html } from '../texts/html.ts'

interface Described {
  readonly productNo: string
  readonly names: Translations
  readonly descriptions: Translations
}

/** A description is shown in its own language only. */
const textOf = ({ descriptions }: Described, language: Language) => descriptions[language] ?? ''

/** Returns the description of a chosen product; no line where it has none. */
export function descriptionLines(product: Described, language: Language): Html[] {
  const text = textOf(product, language)
  return text === '' ? [] : [html`<i>${text}</i>`]
}

/** Returns the descriptions of products to choose from, and an empty line behind. */
export function describedProducts(offers: readonly Described[], language: Language): (Html | '')[] {
  const products = [...new Map(offers.map((offer) => [offer.productNo, offer])).values()]
  const said = products.filter((product) => textOf(product, language) !== '')
  if (said.length === 0) return []
  return [
    ...said.map(
      (product) => html`<b>${translationIn(product.names, language)}</b>: ${textOf(product, language)}`,
    ),
    '',
  ]
}
