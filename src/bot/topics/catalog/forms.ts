import { NewProduct } from '../../../core/catalog/manage-products.ts'
import { isDynamic } from '../../../core/catalog/product.ts'
import { InvalidInput, parseInput } from '../../../core/errors.ts'
import { NewSuppliedProduct } from '../../../core/supply/add-supplied-product.ts'
import { nextQuestion, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { readForm, readValue, type Typed } from '../../kit/form.ts'
import { someOf } from '../../kit/some-of.ts'
import type { TypedTier } from '../../kit/tiers.ts'
import type { BotContext } from '../../session/context.ts'
import { givenIn } from '../../session/given-in.ts'
import { askedIn, by } from '../../session/operator-chat.ts'
import { lines } from '../../texts/html.ts'
import { LOCALES } from '../../texts/index.ts'
import { findProduct, productScreenFor } from './find-product.ts'
import { formProblem, productProblem } from './problem.ts'
import { NEW_PRODUCT, PRODUCT_EDIT } from './product-form.ts'
import { editScreen, newProductPrompt, SAME_NAME, type Step } from './screens.ts'

/** Whichever language somebody writes in. */
const LABELS = Object.values(LOCALES).map(({ catalog }) => catalog.labels)

type Values = Readonly<Record<string, unknown>>

/** What a product is added from: lines as they were typed, by the names of their fields. */
interface NewState {
  readonly typed: Typed
}

/** A new product: asked one thing after the other, or typed in lines, all at once or some; shown back before it is added. */
export const newProduct: OperatorQuestion<NewState> = {
  name: 'catalog.new',
  forOperator: true,
  prompt: (ctx, _actor, { typed }) => askedIn(ctx, newProductPrompt(ctx.texts, typed, stepOf(ctx, typed))),
  answer: (ctx, _actor, state, text) => {
    const step = stepOf(ctx, state.typed)
    const form = readForm(text, NEW_PRODUCT, LABELS, givenIn(ctx))
    const isLines = Object.keys(form.typed).length > 0 || 'wrong' in form
    if (!isLines && step !== 'confirm' && (takesColons(step) || !/[:：\n]/.test(text)))
      return taken(ctx, state, { [step]: text })
    return taken(ctx, state, form.typed, 'values' in form ? undefined : formProblem(ctx.texts, form))
  },
  choose: async (ctx, _actor, state, choice) => {
    const step = stepOf(ctx, state.typed)
    if (step !== 'confirm')
      return taken(ctx, state, { [step]: choice === SAME_NAME ? nameIn(state) : choice })
    const { operator } = ctx.core
    const { input, supplied } = inputOf(valuesIn(ctx, state.typed))
    try {
      const { productNo, uncovered } = supplied
        ? await operator.addSuppliedProduct(by(ctx), input as never)
        : { ...(await operator.addProduct(by(ctx), input as never)), uncovered: [] }
      const note = lines(ctx.texts.catalog.created, ...uncoveredLines(ctx, uncovered))
      return { screen: await productScreenFor(ctx, productNo, note) }
    } catch (error) {
      return { problem: productProblem(ctx.texts, error) }
    }
  },
}

const nameIn = ({ typed }: NewState) => typed['nameEn'] ?? typed['nameZh'] ?? ''

/** Prices and addresses have colons of their own. */
function takesColons(step: Step): boolean {
  return step === 'prices' || step === 'gateway'
}

/**
 * Takes what was typed as far as the core would, and goes on.
 *
 * @param problem with another part of it
 */
function taken(ctx: BotContext, { typed }: NewState, given: Typed, problem?: string): Outcome {
  let all: Typed = typed
  let refused = problem
  for (const [field, value] of Object.entries(given)) {
    const why = problemOf(ctx, { ...all, [field]: value }, field)
    if (why === undefined) all = { ...all, [field]: value }
    refused ??= why
  }
  // Some rules are about several fields: they are told with the last one.
  if (stepOf(ctx, all) === 'confirm') refused ??= problemOf(ctx, all)
  return nextQuestion(newProduct, { typed: all }, refused)
}

/**
 * What is wrong with a product that may not be complete.
 *
 * @param field only what is about this one
 */
function problemOf(ctx: BotContext, typed: Typed, field?: string): string | undefined {
  const values = valuesIn(ctx, typed)
  const unread = Object.keys(typed).find((name) => values[name] === undefined)
  if (unread !== undefined) return formProblem(ctx.texts, { wrong: unread, typed })
  const { input, supplied } = inputOf(values)
  try {
    parseInput(supplied ? NewSuppliedProduct : NewProduct, input)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const found = error.issues.find(
      ({ path: [name] }) => field === undefined || fieldOf(String(name)) === field,
    )
    return found && productProblem(ctx.texts, new InvalidInput([found]))
  }
}

/** The field of the form in which something of the core's input is typed. */
function fieldOf(name: string): string {
  if (name === 'price' || name === 'tiers') return 'prices'
  return name === 'periodUnit' || name === 'periodLength' ? 'period' : name
}

/** What was typed, read. */
function valuesIn(ctx: BotContext, typed: Typed): Values {
  const given = givenIn(ctx)
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [
      name,
      readValue(value, NEW_PRODUCT[name as keyof typeof NEW_PRODUCT], given),
    ]),
  )
}

/** What is asked next: what a product cannot be without, and before that, what has a usual answer. */
function stepOf(ctx: BotContext, typed: Typed): Step {
  const has = (...fields: string[]) => fields.some((field) => typed[field] !== undefined)
  const supplied = has('supplier')
  const dynamic = isDynamic(Number(valuesIn(ctx, typed)['proxyType']))
  const needed: Step[] = [
    ...(has('productNo') ? [] : (['productNo'] as const)),
    ...(has('nameEn', 'nameZh') ? [] : (['nameEn'] as const)),
    ...(dynamic && !has('pool') ? (['pool'] as const) : []),
    ...(dynamic && !has('gateway') ? (['gateway'] as const) : []),
    ...(has('prices') || (supplied && has('marginPercent', 'marginAmount')) ? [] : (['prices'] as const)),
  ]
  const [first] = needed
  if (first === undefined) return 'confirm'
  if (first === 'productNo' || first === 'nameEn') return first
  if (!has('nameZh')) return 'nameZh'
  if (!has('nameEn')) return 'nameEn'
  return supplied || has('proxyType') ? first : 'proxyType'
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

export const productQuestions = [newProduct, editedProduct]
