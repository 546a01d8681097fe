import { Composer } from 'grammy'
import type { Actor } from '../../core/access.ts'
import { ServiceError } from '../../core/errors.ts'
import { randomText } from '../../core/ids.ts'
import { toNumber } from '../../core/money.ts'
import { UNIT } from '../../core/term.ts'
import { pack } from '../callback-data.ts'
import type { BotContext } from '../context.ts'
import { ask, type Question } from '../conversations/ask.ts'
import { errorText } from '../errors.ts'
import {
  BUY,
  type Choice,
  choiceOf,
  forSale,
  maxCount,
  type Offer,
  packWanted,
  type Steps,
  termsOf,
  unpackPurchase,
  type Wanted,
} from '../purchase.ts'
import type { Screen } from '../screen.ts'
import {
  citiesScreen,
  confirmScreen,
  countriesScreen,
  numbersScreen,
  productsScreen,
  soldOutScreen,
  termsScreen,
} from '../screens/buy.ts'
import { promptScreen } from '../screens/general.ts'
import { acceptedScreen } from '../screens/orders.ts'
import { onAction } from './on-action.ts'
import { showHome } from './show-home.ts'
import { viewOf } from './view.ts'

/** Buying static proxies: product → country → city → term → number → confirm; a step with one option is skipped. */
export function buyFeature(): Composer<BotContext> {
  const feature = new Composer<BotContext>()
  const open = async (ctx: BotContext, data: string) =>
    ctx.session.actor ? ctx.show(await purchaseScreen(ctx, data)) : showHome(ctx)

  feature.command('buy', (ctx) => open(ctx, BUY.products))
  for (const action of [BUY.products, BUY.countries, BUY.cities, BUY.terms, BUY.numbers, BUY.confirm]) {
    onAction(feature, action, (ctx) => open(ctx, ctx.callbackQuery.data))
  }
  onAction(feature, BUY.typeNumber, (ctx) => typeNumber(ctx, ctx.callbackQuery.data))
  onAction(feature, BUY.pay, (ctx) => pay(ctx, ctx.callbackQuery.data))
  return feature
}

/**
 * The screen of a purchase step. What the button says is checked against the catalogue of this moment; what is not for
 * sale any more has to be chosen again.
 *
 * @param data callback data
 */
export async function purchaseScreen(ctx: BotContext, data: string): Promise<Screen> {
  const view = viewOf(ctx)
  const actor = requireActor(ctx)
  const [action, steps] = unpackPurchase(data)
  const { page } = steps
  const all = forSale(await ctx.core.catalog.query(actor))
  if (!atLeastOne(all)) return soldOutScreen(view)

  const ofProduct = all.filter(({ productId }) => productId === steps.productId)
  if (!atLeastOne(ofProduct)) return productsScreen(view, { offers: all, page })
  const { productId } = ofProduct[0]

  const countryCode = steps.countryCode ?? onlyOne(ofProduct.map((offer) => offer.countryCode))
  const inCountry = ofProduct.filter((offer) => offer.countryCode === countryCode)
  if (!atLeastOne(inCountry)) return countriesScreen(view, { offers: ofProduct, page, back: BUY.products })
  const toCountries = inCountry.length < ofProduct.length ? pack(BUY.countries, productId) : BUY.products

  const cityCode = steps.cityCode ?? onlyOne(inCountry.map((offer) => offer.cityCode))
  const offers = inCountry.filter((offer) => !cityCode || offer.cityCode === cityCode)
  if (cityCode === undefined || !atLeastOne(offers)) {
    return citiesScreen(view, { offers: inCountry, page, back: toCountries })
  }
  const [offer] = offers
  const place = [productId, offer.countryCode] as const
  const toCities =
    onlyOne(inCountry.map((each) => each.cityCode)) === undefined ? pack(BUY.cities, ...place) : toCountries

  const terms = termsOf(offer)
  const term = terms.find((each) => each === steps.term) ?? (terms.length === 1 ? terms[0] : undefined)
  if (!term) return termsScreen(view, offer, cityCode, toCities)
  const toTerms = terms.length > 1 ? pack(BUY.terms, ...place, cityCode) : toCities

  const wanted = { productId, countryCode: offer.countryCode, cityCode, term }
  const { count } = steps
  if (action !== BUY.confirm || !count || count > maxCount(offers))
    return numbersScreen(view, wanted, offers, toTerms)
  const choice = { ...wanted, count }
  const quote = await ctx.core.orders.quoteStatic(actor, orderInput(actor, offer, choice))
  return confirmScreen(view, choice, offer, quote, randomText(10))
}

/** How many proxies; the buttons offer the usual numbers. */
export const howMany: Question<Wanted> = {
  name: 'buy.how-many',
  prompt: async (ctx, actor, wanted) => {
    const max = maxCount(await offersFor(ctx, actor, wanted))
    return promptScreen(ctx.texts, ctx.texts.buy.typeNumber(max), packWanted(BUY.numbers, wanted))
  },
  answer: async (ctx, actor, wanted, text) => {
    const max = maxCount(await offersFor(ctx, actor, wanted))
    const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (max > 0 && (count < 1 || count > max))
      return { problem: ctx.texts.buy.notANumber(text.slice(0, 40), max) }
    return { screen: await purchaseScreen(ctx, packWanted(BUY.confirm, wanted, count)) }
  },
}

async function typeNumber(ctx: BotContext, data: string): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showHome(ctx)
  const [, steps] = unpackPurchase(data)
  // Any number makes a choice of it that can be looked up.
  const choice = choiceOf({ ...steps, count: 1 })
  const offers = choice ? await offersFor(ctx, actor, choice) : []
  if (!choice || offers.length === 0) return ctx.show(await purchaseScreen(ctx, BUY.products))
  const { count: _any, ...wanted } = choice
  return ask(ctx, howMany, wanted)
}

async function pay(ctx: BotContext, data: string): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showHome(ctx)
  const [, steps] = unpackPurchase(data)
  const order = await confirmedOrder(ctx, actor, steps)
  if (!order) return ctx.show(await purchaseScreen(ctx, BUY.products))
  try {
    const { orderNo } = await ctx.core.orders.createStatic(actor, order.input)
    return await ctx.show(acceptedScreen(viewOf(ctx), await ctx.core.orders.getStatic(actor, { orderNo })))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return ctx.show(await purchaseScreen(ctx, packWanted(BUY.confirm, order.choice, order.choice.count)))
  }
}

/** What a press on the green button asks for; undefined when the button was forged, or its product is gone. */
async function confirmedOrder({ core }: BotContext, actor: Actor, steps: Steps) {
  const choice = choiceOf(steps)
  const [draft, ceiling = ''] = steps.more
  const most = Number.parseInt(ceiling, 36)
  // Sold out does not matter here: a second press must find the order of the first.
  const product =
    choice && (await core.catalog.query(actor)).find(({ productId }) => productId === choice.productId)
  if (!choice || !product || !draft || !Number.isSafeInteger(most)) return undefined
  return {
    choice,
    input: {
      ...orderInput(actor, product, choice),
      totalAmount: toNumber(most),
      appOrderNo: `chat-${draft}`,
    },
  }
}

async function offersFor({ core }: BotContext, actor: Actor, choice: Wanted): Promise<Offer[]> {
  return forSale(await core.catalog.query(actor)).filter(
    ({ productId, countryCode, cityCode }) =>
      productId === choice.productId &&
      countryCode === choice.countryCode &&
      (choice.cityCode === '' || cityCode === choice.cityCode),
  )
}

function orderInput(
  actor: Actor,
  { productNo }: { productNo: string },
  { countryCode, cityCode, term, count }: Choice,
) {
  const [duration, unit] = 'days' in term ? [term.days, UNIT.day] : [term.months, UNIT.month]
  const place = { countryCode, ...(cityCode ? { cityCode } : {}) }
  return { poolId: productNo, userId: actor.id, ipCount: count, duration, unit, ...place }
}

function atLeastOne<Item>(items: Item[]): items is [Item, ...Item[]] {
  return items.length > 0
}

/** The value that all have in common. */
function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined
}

function requireActor({ session }: BotContext): Actor {
  if (!session.actor) throw new Error('a purchase screen without an account')
  return session.actor
}
