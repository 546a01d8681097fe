import type { ProductOverview } from '../../../core/catalog/manage-products.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { html, type Html } from '../../texts/html.ts'
import { productScreen, productsScreen } from './screens.ts'

export async function findProduct(
  { core }: BotContext,
  number: string,
): Promise<ProductOverview | undefined> {
  return (await core.operator.listProducts()).find(({ productNo }) => productNo === number)
}

/** The product as it stands now; the list when it is gone. */
export async function productScreenFor(ctx: BotContext, productNo: string, note?: Html): Promise<Screen> {
  const product = await findProduct(ctx, productNo)
  if (product) return productScreen(viewOf(ctx), product, note)
  const list = productsScreen(viewOf(ctx), await ctx.core.operator.listProducts(), 1)
  return { ...list, text: html`${ctx.texts.catalog.gone}` }
}
