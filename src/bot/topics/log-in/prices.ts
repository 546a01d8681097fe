import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { homeButton } from '../../kit/buttons.ts'
import { descriptionLines } from '../../kit/descriptions.ts'
import { flag } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { Feature, isPrivate } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { lines } from '../../texts/html.ts'
import { soldIn } from './wares.ts'

/** Characters for the products, of the 4096 of a message (Bot API). */
const MOST_CHARACTERS = 3500
/** Countries that a product names; it may be sold in all of them. */
const MOST_COUNTRIES = 20

/** What strangers could buy, where they may register (rules 2.27). */
export function pricesFeature(): Feature {
  const feature = new Feature(isPrivate, { ofAccount: false })
  feature.on(ACCESS.prices, async (ctx, { token = ctx.core.accounts.publicLink }) => {
    const items = token === undefined ? [] : await ctx.core.accounts.pricesByLink(token)
    return ctx.show(pricesScreen(viewOf(ctx), items, token))
  })
  return feature
}

function pricesScreen(view: View, items: readonly CatalogItem[], token: string | undefined): Screen {
  const { texts, language } = view
  const told = soldIn(view, items).map(({ product, name, price = '', countries }) => [
    texts.prices.product(name, price),
    ...descriptionLines(product, language),
    ...(countries.length > 0
      ? [
          texts.prices.places(
            countries
              .slice(0, MOST_COUNTRIES)
              .map((code) => `${flag(code)} ${code}`)
              .join(' '),
          ),
        ]
      : []),
  ])
  let characters = 0
  const cut = told.findIndex((product) => (characters += product.join('\n').length + 2) > MOST_CHARACTERS)
  const shown = cut === -1 ? told : told.slice(0, cut)
  const register =
    token === undefined ? [] : [{ text: texts.join.open, data: ACCESS.register.data({ token }) }]
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
