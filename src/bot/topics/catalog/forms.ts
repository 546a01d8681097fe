import { NewProduct } from '../../../core/catalog/manage-products.ts'
import { parseInput } from '../../../core/errors.ts'
import { NewSuppliedProduct } from '../../../core/supply/add-supplied-product.ts'
import { nextQuestion, type OperatorQuestion } from '../../dialogue/ask.ts'
import { readForm } from '../../kit/form.ts'
import { lines } from '../../kit/html.ts'
import { someOf } from '../../kit/some-of.ts'
import type { TypedTier } from '../../kit/tiers.ts'
import type { BotContext } from '../../session/context.ts'
import { givenIn } from '../../session/given-in.ts'
import { askedIn, by } from '../../session/operator-chat.ts'
import { LOCALES } from '../../texts/index.ts'
import { findProduct, productScreenFor } from './find-product.ts'
import { formProblem, productProblem } from './problem.ts'
import { NEW_PRODUCT, PRODUCT_EDIT } from './product-form.ts'
import { asTyped, confirmNewPrompt, editScreen, newProductScreen, type ProductValues } from './screens.ts'

/** Whichever language somebody writes in. */
const LABELS = Object.values(LOCALES).map(({ catalog }) => catalog.labels)

type Values = Readonly<Record<string, unknown>>

/** A new product: all of it in one message. */
export const newProduct: OperatorQuestion<{ filled: ProductValues }> = {
  name: 'catalog.new',
  forOperator: true,
  prompt: (ctx, _actor, { filled }) => askedIn(ctx, newProductScreen(ctx.texts, asTyped(ctx.texts, filled))),
  answer: (ctx, _actor, { filled }, text) => {
    const form = readForm(text, NEW_PRODUCT, LABELS, givenIn(ctx))
    if (!('values' in form)) return { problem: formProblem(ctx.texts, form) }
    const values = { ...filled, ...form.values }
    try {
      const { input, supplied } = inputOf(values)
      parseInput(supplied ? NewSuppliedProduct : NewProduct, input)
    } catch (error) {
      return { problem: productProblem(ctx.texts, error) }
    }
    const typed = [asTyped(ctx.texts, filled), text].filter((part) => part !== '').join('\n')
    return nextQuestion(confirmNewProduct, { values, typed })
  },
}

const confirmNewProduct: OperatorQuestion<{ values: Values; typed: string }> = {
  name: 'catalog.confirm',
  forOperator: true,
  prompt: (ctx, _actor, { typed }) => confirmNewPrompt(ctx.texts, typed),
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: async (ctx, _actor, { values }) => {
    const { operator } = ctx.core
    const { catalog } = ctx.texts
    const { input, supplied } = inputOf(values)
    try {
      const { productNo, uncovered } = supplied
        ? await operator.addSuppliedProduct(by(ctx), input as never)
        : { ...(await operator.addProduct(by(ctx), input as never)), uncovered: [] }
      const note = lines(catalog.created, ...uncoveredLines(ctx, uncovered))
      return { screen: await productScreenFor(ctx, productNo, note) }
    } catch (error) {
      return { problem: productProblem(ctx.texts, error) }
    }
  },
}

/** The input of the core: the first price is the product's, a product without another name has the same in both languages. */
function inputOf({ prices, period, ...values }: Values): { input: Values; supplied: boolean } {
  const tiers = (prices ?? []) as readonly TypedTier[]
  const price = tiers.find(({ minQuantity }) => minQuantity === 1)?.price
  const others = tiers.filter((tier) => tier.minQuantity !== 1 || tier.price !== price)
  const supplied = values['supplier'] !== undefined
  return {
    supplied,
    input: {
      ...(values['nameEn'] === undefined ? {} : { nameZh: values['nameEn'] }),
      ...(values['nameZh'] === undefined ? {} : { nameEn: values['nameZh'] }),
      ...values,
      ...(period as object | undefined),
      ...(price === undefined ? {} : { price }),
      ...(others.length > 0 && { tiers: others }),
    },
  }
}

/** The lines of a product that change. */
export const editedProduct: OperatorQuestion<{ productNo: string }> = {
  name: 'catalog.edit',
  forOperator: true,
  prompt: async (ctx, _actor, { productNo }) => {
    const product = await findProduct(ctx, productNo)
    return product ? askedIn(ctx, editScreen(ctx.texts, product)) : productScreenFor(ctx, productNo)
  },
  answer: async (ctx, _actor, { productNo }, text) => {
    const form = readForm(text, PRODUCT_EDIT, LABELS, givenIn(ctx))
    if (!('values' in form)) return { problem: formProblem(ctx.texts, form) }
    try {
      const { uncovered } = await ctx.core.operator.editProduct(by(ctx), productNo, form.values)
      const note = lines(ctx.texts.catalog.changed, ...uncoveredLines(ctx, uncovered))
      return { screen: await productScreenFor(ctx, productNo, note) }
    } catch (error) {
      return { problem: productProblem(ctx.texts, error) }
    }
  },
}

export function uncoveredLines({ texts }: BotContext, uncovered: readonly string[]) {
  return uncovered.length > 0 ? [texts.catalog.uncovered(someOf(uncovered, texts))] : []
}

export const productQuestions = [newProduct, confirmNewProduct, editedProduct]
