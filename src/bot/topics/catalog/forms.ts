import { NewProduct } from '../../../core/catalog/manage-products.ts'
import { NAMED_LANGUAGES, typedField, withTexts } from '../../../core/catalog/product-texts.ts'
import { isDynamic } from '../../../core/catalog/product.ts'
import { InvalidInput, type InputIssue, parseInput } from '../../../core/errors.ts'
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../../core/languages.ts'
import { NewSuppliedProduct } from '../../../core/supply/add-supplied-product.ts'
import { type Translations, translationIn, translationsOf } from '../../../core/translations.ts'
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
import { isNameField, NEW_PRODUCT, nameField, PRODUCT_EDIT } from './product-form.ts'
import { editScreen, newProductPrompt, SAME_NAME, type Step } from './screens.ts'

/** Labels in all languages: the form may be written in any. */
const LABELS = Object.values(LOCALES).map(({ catalog }) => catalog.labels)

type Values = Readonly<Record<string, unknown>>

/** State of the form: the values as they were typed, by the names of their fields. */
interface NewState {
  readonly typed: Typed
}

/** A new product: asked field by field, or typed as lines, all at once or some; shown back before it is added. */
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

const nameIn = ({ typed }: NewState) => translationIn(translationsOf(typed, 'name') ?? {}, FALLBACK_LANGUAGE)

/** Tells whether the answer to a step has colons of its own, as prices and addresses do. */
function takesColons(step: Step): boolean {
  return step === 'prices' || step === 'gateway'
}

/**
 * Keeps the typed values that the core would accept, and goes on to the next question.
 *
 * @param problem what is wrong with the rest of the input
 */
function taken(ctx: BotContext, { typed }: NewState, given: Typed, problem?: string): Outcome {
  let all: Typed = typed
  let refused = problem
  for (const [field, value] of Object.entries(given)) {
    const why = problemOf(ctx, { ...all, [field]: value }, field)
    if (why === undefined) all = { ...all, [field]: value }
    refused ??= why
  }
  // Rules about several fields are checked when all of them are there.
  if (stepOf(ctx, all) === 'confirm') refused ??= problemOf(ctx, all)
  return nextQuestion(newProduct, { typed: all }, refused)
}

/**
 * Says what is wrong with a product that may be incomplete.
 *
 * @param field limits the check to problems of this field
 */
function problemOf(ctx: BotContext, typed: Typed, field?: string): string | undefined {
  const values = valuesIn(ctx, typed)
  const unread = Object.keys(typed).find((name) => values[name] === undefined)
  if (unread !== undefined) {
    const reader = NEW_PRODUCT[unread as keyof typeof NEW_PRODUCT]
    return formProblem(ctx.texts, { wrong: unread, reader, typed })
  }
  const { input, supplied } = inputOf(values)
  try {
    parseInput(supplied ? NewSuppliedProduct : NewProduct, input)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const found = error.issues.find(({ path }) => field === undefined || fieldOf(path) === field)
    return found && productProblem(ctx.texts, new InvalidInput([found]))
  }
}

/** Returns the field of the form in which a field of the core's input is typed. */
function fieldOf(path: InputIssue['path']): string {
  const name = typedField(path)
  if (name === 'price' || name === 'tiers') return 'prices'
  return name === 'periodUnit' || name === 'periodLength' ? 'period' : name
}

/** Reads the typed values; undefined for one that cannot be read. */
function valuesIn(ctx: BotContext, typed: Typed): Values {
  const given = givenIn(ctx)
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [
      name,
      readValue(value, NEW_PRODUCT[name as keyof typeof NEW_PRODUCT], given),
    ]),
  )
}

/** Returns what to ask next: the first missing required field, preceded by optional ones with a usual answer. */
function stepOf(ctx: BotContext, typed: Typed): Step {
  const has = (...fields: string[]) => fields.some((field) => typed[field] !== undefined)
  const supplied = has('supplier')
  const dynamic = isDynamic(Number(valuesIn(ctx, typed)['proxyType']))
  const needed: Step[] = [
    ...(has('productNo') ? [] : (['productNo'] as const)),
    ...(has(...LANGUAGES.map(nameField)) ? [] : [nameField(FALLBACK_LANGUAGE)]),
    ...(dynamic && !has('pool') ? (['pool'] as const) : []),
    ...(dynamic && !has('gateway') ? (['gateway'] as const) : []),
    ...(has('prices') || (supplied && has('marginPercent', 'marginAmount')) ? [] : (['prices'] as const)),
  ]
  const [first] = needed
  if (first === undefined) return 'confirm'
  if (first === 'productNo' || isNameField(first)) return first
  const unnamed = NAMED_LANGUAGES.map(nameField).find((field) => !has(field))
  if (unnamed !== undefined) return unnamed
  return supplied || has('proxyType') ? first : 'proxyType'
}

/** Builds the core's input: the price from quantity 1 is the product's; a missing name is that of another language. */
function inputOf(typed: Values): { input: Values; supplied: boolean } {
  const { names, prices, period, ...values } = withTexts(typed)
  const tiers = (prices ?? []) as readonly TypedTier[]
  const price = tiers.find(({ minQuantity }) => minQuantity === 1)?.price
  const others = tiers.filter((tier) => tier.minQuantity !== 1 || tier.price !== price)
  const supplied = values['supplier'] !== undefined
  return {
    supplied,
    input: {
      ...(names !== undefined && { names: namesFrom(names) }),
      ...values,
      ...(period as object | undefined),
      ...(price === undefined ? {} : { price }),
      ...(others.length > 0 && { tiers: others }),
    },
  }
}

/** Adds names in the languages in which each product has one. */
function namesFrom(names: Translations): Translations {
  const needed = NAMED_LANGUAGES.map((language) => [language, translationIn(names, language)])
  return { ...names, ...Object.fromEntries(needed) }
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
      const { uncovered } = await ctx.core.operator.editProduct(by(ctx), productNo, withTexts(form.values))
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
