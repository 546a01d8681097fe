import type { ProductOverview } from '../../../core/catalog/manage-products.ts'
import { CATALOG } from '../../actions/catalog.ts'
import { ask } from '../../dialogue/ask.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { findProduct, productScreenFor } from './find-product.ts'
import { editedProduct, newProduct, uncoveredLines } from './forms.ts'
import { typedPrices } from './prices.ts'
import { placesScreen, productsScreen } from './screens.ts'

/** Products, their prices and their stock by place, as the operator changes them (rules 3.1, 10.5, 10.6). */
export function catalogFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  const showProducts = async (ctx: BotContext, page = 1) =>
    ctx.show(productsScreen(viewOf(ctx), await ctx.core.operator.listProducts(), page))
  feature.command('products', (ctx) => showProducts(ctx))
  feature.on(CATALOG.products, (ctx, { page }) => showProducts(ctx, page))
  feature.on(CATALOG.create, (ctx) => ask(ctx, newProduct, { typed: {} }))
  feature.on(CATALOG.createOfOffer, async (ctx, { id = 0 }) => {
    const offer = await ctx.core.operator.suppliers.offer(id)
    if (offer) return ask(ctx, newProduct, { typed: { supplier: offer.supplier, offers: offer.offerNo } })
    await ctx.notify(ctx.texts.operator.suppliers.gone, true)
    return showProducts(ctx)
  })
  const onProduct = (
    action: typeof CATALOG.product,
    handle: (ctx: BotContext, product: ProductOverview) => Promise<unknown>,
  ) =>
    feature.on(action, async (ctx, { productNo = '' }) => {
      const product = await findProduct(ctx, productNo)
      if (product) return handle(ctx, product)
      await ctx.notify(ctx.texts.catalog.gone, true)
      return showProducts(ctx)
    })
  onProduct(CATALOG.product, async (ctx, { productNo }) => ctx.show(await productScreenFor(ctx, productNo)))
  onProduct(CATALOG.edit, (ctx, { productNo }) => ask(ctx, editedProduct, { productNo }))
  onProduct(CATALOG.prices, (ctx, { productNo }) => ask(ctx, typedPrices, { productNo }))
  feature.on(CATALOG.enable, async (ctx, { productNo = '', on }) => {
    if (!(await findProduct(ctx, productNo))) return showProducts(ctx)
    return ctx.show(await enable(ctx, productNo, on))
  })
  feature.on(CATALOG.stock, async (ctx, { productNo = '', page }) => {
    const product = await findProduct(ctx, productNo)
    if (!product) return showProducts(ctx)
    return ctx.show(placesScreen(viewOf(ctx), product, await ctx.core.operator.listStock(), page))
  })
  return feature
}

async function enable(ctx: BotContext, productNo: string, enabled: boolean): Promise<Screen> {
  const { uncovered } = await ctx.core.operator.editProduct(by(ctx), productNo, { enabled })
  return productScreenFor(ctx, productNo, ...uncoveredLines(ctx, uncovered))
}
