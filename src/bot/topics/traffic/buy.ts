import type { Actor } from '../../../core/access.ts'
import { DYNAMIC_TYPES } from '../../../core/catalog/product.ts'
import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import { randomText } from '../../../core/ids.ts'
import type { DynamicOrderInput } from '../../../core/orders/dynamic-order-input.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import { gigabytesFromText, MAX_GIGABYTES } from '../../../core/traffic/bytes.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Read } from '../../kit/action.ts'
import type { Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import { promoProblem } from '../buy/promo.ts'
import type { BotContext } from '../../session/context.ts'
import { resumeOf, waitingForMoney } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { BUY_TRAFFIC } from './actions.ts'
import {
  boughtTrafficScreen,
  confirmTrafficScreen,
  trafficAmountsScreen,
  trafficOffersScreen,
  typeAmountScreen,
  typePromoScreen,
} from './buy-screens.ts'
import {
  choiceOf,
  HOW_MUCH_TRAFFIC,
  promoDraft,
  type TrafficChoice,
  type WantedTraffic,
  wantedOf,
} from './purchase.ts'

const USUAL_AMOUNTS = [1, 5, 10, 20, 50, 100] as const
/** Buying traffic: product → GB → confirm; for oneself, or for a direct sub-user. */
export function buyTrafficFeature(): Feature {
  const feature = new Feature()
  feature.onMember(BUY_TRAFFIC.amounts, (ctx, actor, wanted) => amounts(ctx, actor, wantedOf(wanted)))
  feature.onMember(BUY_TRAFFIC.forUser, (ctx, actor, { user = 0 }) => offers(ctx, actor, user))
  feature.onMember(BUY_TRAFFIC.typeAmount, async (ctx, actor, parameters) => {
    const wanted = wantedOf(parameters)
    if (!wanted || !(await offerOf(ctx, actor, wanted))) return offers(ctx, actor, wanted?.userId)
    await ask(ctx, howMuchTraffic, wanted)
    return undefined
  })
  feature.onMember(BUY_TRAFFIC.confirm, confirm)
  feature.onMember(BUY_TRAFFIC.typePromo, async (ctx, actor, parameters) => {
    const choice = choiceOf(parameters)
    if (!choice || !(await offerOf(ctx, actor, choice))) return offers(ctx, actor, choice?.userId)
    await ask(ctx, trafficPromoCode, choice)
    return undefined
  })
  feature.onMember(BUY_TRAFFIC.pay, pay, confirm)
  return feature
}

/** How many GB; the buttons offer the usual amounts. */
export const howMuchTraffic: Question<WantedTraffic> = {
  name: HOW_MUCH_TRAFFIC,
  presses: [],
  prompt: async (ctx, actor, wanted) => {
    const offer = await offerOf(ctx, actor, wanted)
    const buyer = await buyerOf(ctx, actor, wanted.userId)
    return offer
      ? typeAmountScreen(viewOf(ctx), wanted, offer, buyer?.username)
      : offers(ctx, actor, wanted.userId)
  },
  answer: async (ctx, actor, wanted, text) => {
    const gigabytes = gigabytesFromText(text)
    if (!gigabytes) return { problem: ctx.texts.traffic.buy.notAnAmount(text.slice(0, 40), MAX_GIGABYTES) }
    return { screen: await confirmation(ctx, actor, { ...wanted, gigabytes }) }
  },
}

/** A promotion code, which the order must take. */
export const trafficPromoCode: Question<TrafficChoice> = {
  name: 'traffic.promo',
  prompt: (ctx, _actor, choice) => typePromoScreen(viewOf(ctx), choice),
  answer: async (ctx, actor, choice, code) => {
    const offer = await offerOf(ctx, actor, choice)
    if (!offer) return { screen: await offers(ctx, actor, choice.userId) }
    await ctx.core.orders.quoteDynamic(actor, orderInput(offer, choice, code))
    const name = randomText(6)
    await promoDraft.write(ctx, { name, code })
    return { screen: await confirmation(ctx, actor, { ...choice, promo: name }) }
  },
}

/** The products; the only one is chosen already. */
async function offers(ctx: BotContext, actor: Actor, userId?: number): Promise<Screen> {
  const sold = await offersFor(ctx, actor, userId)
  const [only, ...others] = sold
  return only && others.length === 0
    ? amounts(ctx, actor, { productId: only.productId, userId })
    : trafficOffersScreen(viewOf(ctx), sold, await buyerOf(ctx, actor, userId))
}

/** The sub-user that it is for, if any. */
async function buyerOf({ core }: BotContext, actor: Actor, userId: number | undefined) {
  return userId === undefined ? undefined : core.accounts.getSubUser(actor, userId)
}

async function amounts(ctx: BotContext, actor: Actor, wanted: WantedTraffic | undefined): Promise<Screen> {
  if (!wanted) return offers(ctx, actor)
  const sold = await offersFor(ctx, actor, wanted.userId)
  const offer = sold.find(({ productId }) => productId === wanted.productId)
  if (!offer) return offers(ctx, actor, wanted.userId)
  const quote = (gigabytes: number) => quoteOf(ctx, actor, offer, { ...wanted, gigabytes })
  const [first, ...others] = USUAL_AMOUNTS
  const quotes = [await quote(first), ...(await Promise.all(others.map(quote)))] as const
  return trafficAmountsScreen(viewOf(ctx), wanted, offer, [...quotes], sold.length === 1)
}

function confirm(
  ctx: BotContext,
  actor: Actor,
  parameters: Read<typeof BUY_TRAFFIC.confirm.shape>,
): Promise<Screen> {
  const choice = choiceOf(parameters)
  return choice ? confirmation(ctx, actor, choice) : offers(ctx, actor)
}

/** A purchase that is short of money waits in the draft until it was topped up. */
async function confirmation(ctx: BotContext, actor: Actor, choice: TrafficChoice): Promise<Screen> {
  const offer = await offerOf(ctx, actor, choice)
  if (!offer) return offers(ctx, actor, choice.userId)
  const quote = await quoteOrProblem(ctx, actor, offer, choice)
  if (typeof quote === 'string') {
    const screen = await confirmation(ctx, actor, { ...choice, promo: undefined })
    return { ...screen, text: withNote(screen.text, quote) }
  }
  const resume = resumeOf(quote, BUY_TRAFFIC.confirm.data(choice), choice.userId ?? actor.id)
  if (resume) await ctx.core.chats.changeDraft(ctx.session.chatId, { ...resume })
  return waitingForMoney(confirmTrafficScreen(viewOf(ctx), choice, offer, quote, randomText(10)), resume)
}

async function pay(
  ctx: BotContext,
  actor: Actor,
  { confirmationKey, ceiling, ...parameters }: Read<typeof BUY_TRAFFIC.pay.shape>,
): Promise<Screen> {
  const choice = choiceOf(parameters)
  const offer = choice && (await offerOf(ctx, actor, choice))
  if (!offer || !confirmationKey || ceiling === undefined) return offers(ctx, actor, choice?.userId)
  const order = {
    ...orderInput(offer, choice, await promoOf(ctx, choice)),
    appOrderNo: `chat-${confirmationKey}`,
  }
  return boughtTrafficScreen(viewOf(ctx), choice, await ctx.core.orders.createDynamic(actor, order, ceiling))
}

/** @returns what is wrong with the promotion code of the purchase, if it has one */
async function quoteOrProblem(
  ctx: BotContext,
  actor: Actor,
  offer: CatalogItem,
  choice: TrafficChoice,
): Promise<Quote | string> {
  const code = await promoOf(ctx, choice)
  try {
    return await ctx.core.orders.quoteDynamic(actor, orderInput(offer, choice, code))
  } catch (error) {
    const problem = code === undefined ? undefined : promoProblem(ctx, error)
    if (problem === undefined) throw error
    return problem
  }
}

/** The promotion code of a purchase; none where the draft holds that of another one. */
async function promoOf(ctx: BotContext, { promo }: TrafficChoice): Promise<string | undefined> {
  const kept = promo === undefined ? undefined : await promoDraft.read(ctx)
  return kept?.name === promo ? kept?.code : undefined
}

function offersFor({ core }: BotContext, actor: Actor, userId: number | undefined): Promise<CatalogItem[]> {
  return core.catalog.query(actor, {
    proxyTypes: DYNAMIC_TYPES,
    ...(userId === undefined ? {} : { userId }),
  })
}

async function offerOf(
  ctx: BotContext,
  actor: Actor,
  { productId, userId }: WantedTraffic,
): Promise<CatalogItem | undefined> {
  return (await offersFor(ctx, actor, userId)).find((offer) => offer.productId === productId)
}

function quoteOf(
  { core }: BotContext,
  actor: Actor,
  offer: CatalogItem,
  choice: TrafficChoice,
): Promise<Quote> {
  return core.orders.quoteDynamic(actor, orderInput(offer, choice))
}

function orderInput(
  { productNo }: CatalogItem,
  { userId, gigabytes }: TrafficChoice,
  promoCode?: string,
): DynamicOrderInput {
  return { poolId: productNo, trafficAmount: gigabytes, userId, promoCode }
}
