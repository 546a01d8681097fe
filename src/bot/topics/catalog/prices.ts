import { levelScope, PRODUCT_SCOPE } from '../../../core/catalog/prices.ts'
import { fromNumber } from '../../../core/money.ts'
import { nextQuestion, type OperatorQuestion } from '../../dialogue/ask.ts'
import { askedIn, by } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { findProduct, productScreenFor } from './find-product.ts'
import { productProblem } from './problem.ts'
import { pricesIn, pricesPreview, pricesPrompt } from './screens.ts'
import { readPrices, type TypedPrices } from './typed-prices.ts'

/** The prices of a product for everybody, a level or a user, in one message. */
export const typedPrices: OperatorQuestion<{ productNo: string }> = {
  name: 'catalog.prices',
  forOperator: true,
  prompt: async (ctx, _actor, { productNo }) => {
    const product = await findProduct(ctx, productNo)
    return product ? askedIn(ctx, pricesPrompt(viewOf(ctx), product)) : productScreenFor(ctx, productNo)
  },
  answer: (ctx, _actor, { productNo }, text) => {
    const typed = readPrices(text, ctx.core.currency)
    return typed
      ? nextQuestion(confirmPrices, { productNo, ...typed })
      : { problem: ctx.texts.catalog.notPrices }
  },
}

const confirmPrices: OperatorQuestion<{ productNo: string } & TypedPrices> = {
  name: 'catalog.prices.confirm',
  forOperator: true,
  prompt: async (ctx, _actor, { productNo, whose, tiers }) => {
    const product = await findProduct(ctx, productNo)
    if (!product) return productScreenFor(ctx, productNo)
    const { level, username: name } = whose
    const before =
      name === undefined
        ? pricesIn(product, level === undefined ? PRODUCT_SCOPE : levelScope(level))
        : product.prices.filter(({ username }) => username?.toLowerCase() === name.toLowerCase())
    const shownName = name ?? (level === undefined ? undefined : ctx.texts.catalog.level(String(level)))
    const after = tiers
      .map(({ minQuantity, price }) => ({ minQuantity, price: fromNumber(price) ?? 0 }))
      .toSorted((a, b) => a.minQuantity - b.minQuantity)
    return pricesPreview(viewOf(ctx), productNo, shownName, before, after)
  },
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: async (ctx, _actor, { productNo, whose, tiers }) => {
    const { catalog } = ctx.texts
    try {
      await ctx.core.operator.setPrices(by(ctx), { productNo, ...whose, tiers })
    } catch (error) {
      return { problem: productProblem(ctx.texts, error) }
    }
    return { screen: await productScreenFor(ctx, productNo, catalog.pricesSet) }
  },
}

export const priceQuestions = [typedPrices, confirmPrices]
