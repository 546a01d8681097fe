import { Composer } from 'grammy'
import type { Actor } from '../../core/access.ts'
import type { CatalogItem } from '../../core/catalog/query-products.ts'
import { ServiceError } from '../../core/errors.ts'
import { randomText } from '../../core/ids.ts'
import { toNumber } from '../../core/money.ts'
import { UNIT } from '../../core/term.ts'
import { pack, unpack, wholeNumber } from '../callback-data.ts'
import type { BotContext } from '../context.ts'
import { numberPrompt, TYPE_NUMBER, type TypeNumberStart } from '../conversations/type-number.ts'
import { errorText } from '../errors.ts'
import type { Screen } from '../screen.ts'
import {
  BUY,
  type Choice,
  citiesScreen,
  confirmScreen,
  countriesScreen,
  forSale,
  maxCount,
  numbersScreen,
  packChoice,
  productsScreen,
  termsOf,
  termsScreen,
  unpackTerm,
  type View,
} from '../screens/buy.ts'
import { orderScreen } from '../screens/orders.ts'
import { showHome } from './show-home.ts'
import { onAction } from './on-action.ts'

/** Buying static proxies: product → country → city → term → number → confirm; a step with one option is skipped. */
export function buyFeature(): Composer<BotContext> {
  const feature = new Composer<BotContext>()
  const open = async (ctx: BotContext, data: string) => (ctx.session.actor ? ctx.show(await purchaseScreen(ctx, data)) : showHome(ctx))

  feature.command('buy', (ctx) => open(ctx, BUY.products))
  for (const action of [BUY.products, BUY.countries, BUY.cities, BUY.terms, BUY.numbers, BUY.confirm]) {
    onAction(feature, action, (ctx) => open(ctx, ctx.callbackQuery.data))
  }
  onAction(feature, BUY.typeNumber, typeNumber)
  onAction(feature, BUY.pay, pay)
  return feature
}

/** How this chat wants its screens worded. */
export function viewOf({ texts, session, core }: BotContext): View {
  return { texts, language: session.language, currency: core.currency }
}

/**
 * The screen of a purchase step. What the button says is checked against the catalogue of this moment; when it is
 * not for sale any more, the purchase starts again.
 *
 * @param data callback data
 */
export async function purchaseScreen(ctx: BotContext, data: string): Promise<Screen> {
  const view = viewOf(ctx)
  const actor = requireActor(ctx)
  const all = forSale(await ctx.core.catalog.query(actor))
  const [action, product, country, city, term, count] = unpack(data)
  const ofProduct = all.filter((item) => item.productId === wholeNumber(product))
  const countries = new Set(ofProduct.map((item) => item.countryCode))
  // With one country there is nothing to ask.
  const countryCode = country ?? (countries.size === 1 ? [...countries][0] : undefined)
  const inCountry = ofProduct.filter((item) => item.countryCode === countryCode)
  const cities = new Set(inCountry.map((item) => item.cityCode))
  const cityCode = city ?? (cities.size === 1 ? ([...cities][0] ?? '') : undefined)
  const items = cityCode ? inCountry.filter((item) => item.cityCode === cityCode) : inCountry

  const [first] = ofProduct
  if (action === BUY.products || !first) return productsScreen(view, all)
  const [item] = items
  if (countryCode === undefined || !countryCode || !item) return countriesScreen(view, first, ofProduct)
  const toCountries = countries.size > 1 ? pack(BUY.countries, item.productId) : BUY.products
  if (cityCode === undefined) return citiesScreen(view, item, inCountry, toCountries)
  const terms = termsOf(item)
  const chosenTerm = unpackTerm(term) ?? (terms.length === 1 ? terms[0] : undefined)
  const toCities = cities.size > 1 ? pack(BUY.cities, item.productId, countryCode) : toCountries
  if (!chosenTerm) return termsScreen(view, item, cityCode, toCities)

  const choice = { productId: item.productId, countryCode, cityCode, term: chosenTerm }
  const number = wholeNumber(count)
  if (action !== BUY.confirm || !number || number > maxCount(items)) return numbersScreen(view, choice, item, items)
  const order = { ...choice, count: number }
  const quote = await ctx.core.orders.quoteStatic(actor, orderInput(actor, item, order))
  return confirmScreen(view, order, item, quote, randomText(10))
}

async function typeNumber(ctx: BotContext, ...parameters: string[]): Promise<unknown> {
  const { actor, language } = ctx.session
  if (!actor) return showHome(ctx)
  const [product, country, city] = parameters
  const items = forSale(await ctx.core.catalog.query(actor)).filter(
    (item) => item.productId === wholeNumber(product) && item.countryCode === country && (!city || item.cityCode === city),
  )
  if (items.length === 0) return ctx.show(await purchaseScreen(ctx, BUY.products))
  const prompt = { back: pack(BUY.numbers, ...parameters), max: maxCount(items) }
  const screen = await ctx.show(numberPrompt(ctx.texts, prompt))
  const start: TypeNumberStart = { ...prompt, screen, language, confirm: pack(BUY.confirm, ...parameters) }
  return ctx.conversation.enter(TYPE_NUMBER, start)
}

async function pay(ctx: BotContext, ...parameters: string[]): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showHome(ctx)
  const choice = parseChoice(parameters)
  const [draft, ceiling] = parameters.slice(5)
  const item = choice && (await ctx.core.catalog.query(actor)).find((each) => each.productId === choice.productId)
  const most = Number.parseInt(ceiling ?? '', 36)
  if (!choice || !item || !draft || !Number.isSafeInteger(most)) return ctx.show(await purchaseScreen(ctx, BUY.products))
  try {
    const input = { ...orderInput(actor, item, choice), totalAmount: toNumber(most), appOrderNo: `chat-${draft}` }
    const { orderNo } = await ctx.core.orders.createStatic(actor, input)
    return await ctx.show(orderScreen(viewOf(ctx), await ctx.core.orders.getStatic(actor, { orderNo }), 1, 1))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return ctx.show(await purchaseScreen(ctx, packChoice(BUY.confirm, choice, choice.count)))
  }
}

function parseChoice([product, countryCode, cityCode, termText, countText]: string[]): Choice | undefined {
  const productId = wholeNumber(product)
  const term = unpackTerm(termText)
  const count = wholeNumber(countText)
  if (productId === undefined || !countryCode || cityCode === undefined || !term || !count) return undefined
  return { productId, countryCode, cityCode, term, count }
}

function orderInput(actor: Actor, item: CatalogItem, { countryCode, cityCode, term, count }: Choice) {
  const [duration, unit] = 'days' in term ? [term.days, UNIT.day] : [term.months, UNIT.month]
  return { poolId: item.productNo, userId: actor.id, ipCount: count, duration, unit, countryCode, ...(cityCode ? { cityCode } : {}) }
}

function requireActor({ session }: BotContext): Actor {
  if (!session.actor) throw new Error('a purchase screen without an account')
  return session.actor
}
