import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import { translationIn } from '../../../core/translations.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { homeButton } from '../../kit/buttons.ts'
import { descriptionLines } from '../../kit/descriptions.ts'
import { figure, flag, pricedUnit } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { Feature, isPrivate } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { type Html, lines } from '../../texts/html.ts'

/** Characters for the products, of the 4096 of a message (Bot API). */
const MOST_CHARACTERS = 3500
/** Countries that a product names; it may be sold in all of them. */
const MOST_COUNTRIES = 20

/** What strangers could buy, where they may register (rules 2.27). */
export function pricesFeature(): Feature {
  const feature = new Feature(isPrivate, { ofAccount: false })
  feature.on(ACCESS.prices, async (ctx) => {
    const { publicLink } = ctx.core.accounts
    const items = publicLink === undefined ? [] : await ctx.core.accounts.pricesByLink(publicLink)
    return ctx.show(pricesScreen(viewOf(ctx), items, publicLink))
  })
  return feature
}

function pricesScreen(view: View, items: readonly CatalogItem[], publicLink: string | undefined): Screen {
  const { texts } = view
  const numbers = [...new Set(items.map(({ productNo }) => productNo))]
  const told = numbers.map((no) =>
    productLines(
      view,
      items.filter(({ productNo }) => productNo === no),
    ),
  )
  let characters = 0
  const cut = told.findIndex((product) => (characters += product.join('\n').length + 2) > MOST_CHARACTERS)
  const shown = cut === -1 ? told : told.slice(0, cut)
  const register =
    publicLink === undefined
      ? []
      : [{ text: texts.join.open, data: ACCESS.register.data({ token: publicLink }) }]
  return {
    text:
      told.length === 0
        ? texts.prices.nothing
        : lines(
            texts.prices.title,
            ...shown.flatMap((product) => ['' as const, ...product]),
            cut === -1 ? undefined : texts.prices.more(told.length - shown.length),
          ),
    buttons: [register, [{ text: texts.buttons.logIn, data: ACCESS.logIn.data() }, homeButton(texts)]],
  }
}

/** A product with its lowest price, what it is, and where. */
function productLines({ texts, language, currency }: View, offers: readonly CatalogItem[]): Html[] {
  const [product] = offers
  if (!product) return []
  const prices = offers.flatMap(({ tiers }) => tiers.map(({ price }) => price))
  const lowest = Math.min(...prices)
  const unit = product.pool === null ? pricedUnit(product, currency, texts) : `${currency} / GB`
  const price = `${figure(lowest)} ${unit}`
  const varies = prices.some((each) => each !== lowest)
  const countries = [...new Set(offers.flatMap(({ countryCode }) => countryCode ?? []))]
  const flags = countries.slice(0, MOST_COUNTRIES).map((code) => `${flag(code)} ${code}`)
  return [
    texts.prices.product(translationIn(product.names, language), varies ? texts.prices.from(price) : price),
    ...descriptionLines(product, language),
    ...(flags.length > 0 ? [texts.prices.places(flags.join(' '))] : []),
  ]
}
