import type { Actor } from '../../../core/access/actor.ts'
import { DYNAMIC_TYPES } from '../../../core/catalog/product.ts'
import type { CatalogItem } from '../../../core/catalog/query-products.ts'
import { randomText } from '../../../core/ids.ts'
import type { DynamicOrderInput } from '../../../core/orders/dynamic-order-input.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import { gigabytesFromText, MAX_GIGABYTES } from '../../../core/bytes.ts'
import { choiceOf, type TrafficChoice, type WantedTraffic, wantedOf } from '../../actions/traffic-choice.ts'
import { BUY_TRAFFIC } from '../../actions/traffic.ts'
import type { Outcome, Question } from '../../dialogue/ask.ts'
import type { Read } from '../../kit/action.ts'
import type { Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import { promoProblem } from '../orders/promo.ts'
import type { BotContext } from '../../session/context.ts'
import { forgetWaiting, resumeOf, waitingForMoney } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import {
  boughtTrafficScreen,
  trafficOffersScreen,
  trafficPurchaseScreen,
  typePromoScreen,
} from './buy-screens.ts'
import { type BuyingTraffic, BUYING_TRAFFIC, FIRST_GIGABYTES, promoDraft, Remembered } from './purchase.ts'

const USUAL_AMOUNTS = [1, 5, 10, 20, 50, 100]

/** Buying traffic on one screen (rules 5.25), for oneself or for a direct sub-user. */
export function buyTrafficFeature(): Feature {
  const feature = new Feature()
  feature.onMember(BUY_TRAFFIC.amounts, (ctx, actor, wanted) => begin(ctx, actor, wantedOf(wanted)))
  feature.onMember(BUY_TRAFFIC.forUser, (ctx, actor, { user = 0 }) => offers(ctx, actor, user))
  // A button of earlier versions.
  feature.onMember(BUY_TRAFFIC.typeAmount, (ctx, actor, wanted) => begin(ctx, actor, wantedOf(wanted)))
  feature.onMember(BUY_TRAFFIC.confirm, confirm)
  feature.onMember(BUY_TRAFFIC.typePromo, async (ctx, actor, parameters) => {
    const choice = choiceOf(parameters)
    return choice && (await offerOf(ctx, actor, choice))
      ? typePromoScreen(viewOf(ctx), choice)
      : offers(ctx, actor, choice?.userId)
  })
  feature.onMember(BUY_TRAFFIC.pay, pay, confirm)
  return feature
}

/** The conversation of a purchase: presses of its buttons, and how many GB or which promotion code is typed. */
export const buyingTraffic: Question<BuyingTraffic> = {
  name: BUYING_TRAFFIC,
  presses: [
    BUY_TRAFFIC.amounts,
    BUY_TRAFFIC.typeAmount,
    BUY_TRAFFIC.confirm,
    BUY_TRAFFIC.typePromo,
    BUY_TRAFFIC.pay,
  ],
  prompt: async (ctx, actor, { asks, ...choice }) =>
    asks === 'promo' ? typePromoScreen(viewOf(ctx), choice) : purchase(ctx, actor, choice),
  answer: async (ctx, actor, { asks, ...choice }, text) => {
    if (asks === 'promo') return takePromoCode(ctx, actor, choice, text)
    const gigabytes = gigabytesFromText(text)
    return gigabytes
      ? { screen: await purchase(ctx, actor, { ...choice, gigabytes }) }
      : { problem: ctx.texts.traffic.buy.notAnAmount(text.slice(0, 40), MAX_GIGABYTES) }
  },
}

/** Takes a typed promotion code, if the order accepts it. */
async function takePromoCode(
  ctx: BotContext,
  actor: Actor,
  choice: TrafficChoice,
  code: string,
): Promise<Outcome> {
  const offer = await offerOf(ctx, actor, choice)
  if (!offer) return { screen: await offers(ctx, actor, choice.userId) }
  await ctx.core.orders.quoteDynamic(actor, orderInput(offer, choice, code))
  const name = randomText(6)
  await promoDraft.write(ctx, { name, code })
  return { screen: await purchase(ctx, actor, { ...choice, promo: name }) }
}

/** Shows the products on offer; a single one is chosen at once. */
async function offers(ctx: BotContext, actor: Actor, userId?: number): Promise<Screen> {
  const sold = await offersFor(ctx, actor, userId)
  const [only, ...others] = sold
  return only && others.length === 0
    ? begin(ctx, actor, { productId: only.productId, userId })
    : trafficOffersScreen(viewOf(ctx), sold, await buyerOf(ctx, actor, userId))
}

/** The sub-user that it is for, if any. */
async function buyerOf({ core }: BotContext, actor: Actor, userId: number | undefined) {
  return userId === undefined ? undefined : core.accounts.getSubUser(actor, userId)
}

/** Begins a purchase with the amount of the last one (rules 5.26). */
async function begin(ctx: BotContext, actor: Actor, wanted: WantedTraffic | undefined): Promise<Screen> {
  const offer = wanted && (await offerOf(ctx, actor, wanted))
  if (!offer) return offers(ctx, actor, wanted?.userId)
  const habits = await ctx.core.accounts.habits(actor, 'traffic')
  const last = Remembered.safeParse(habits.find(({ productNo }) => productNo === offer.productNo)?.choice)
  return purchase(ctx, actor, { ...wanted, gigabytes: last.data?.gigabytes ?? FIRST_GIGABYTES })
}

function confirm(
  ctx: BotContext,
  actor: Actor,
  parameters: Read<typeof BUY_TRAFFIC.confirm.shape>,
): Promise<Screen> {
  const choice = choiceOf(parameters)
  return choice ? purchase(ctx, actor, choice) : offers(ctx, actor)
}

/** A purchase that is short of money waits in the draft until it was topped up. */
async function purchase(ctx: BotContext, actor: Actor, choice: TrafficChoice): Promise<Screen> {
  const sold = await offersFor(ctx, actor, choice.userId)
  const offer = sold.find(({ productId }) => productId === choice.productId)
  if (!offer) return offers(ctx, actor, choice.userId)
  const quote = await quoteOrProblem(ctx, actor, offer, choice)
  if (typeof quote === 'string') {
    const screen = await purchase(ctx, actor, { ...choice, promo: undefined })
    return { ...screen, text: withNote(screen.text, quote) }
  }
  const usual = await Promise.all(
    USUAL_AMOUNTS.map((gigabytes) => quoteOf(ctx, actor, offer, { ...choice, gigabytes })),
  )
  const resume = resumeOf(quote, BUY_TRAFFIC.confirm.data(choice), choice.userId ?? actor.id)
  if (resume) await ctx.core.chats.changeDraft(ctx.session.chatId, { ...resume })
  const screen = trafficPurchaseScreen(viewOf(ctx), choice, offer, quote, {
    usual,
    confirmationKey: randomText(10),
    isOnly: sold.length === 1,
  })
  return waitingForMoney(screen, resume)
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
  const bought = await ctx.core.orders.createDynamic(actor, order, ceiling)
  await forgetWaiting(ctx, actor, BUY_TRAFFIC.confirm)
  const { gigabytes } = choice
  await ctx.core.accounts.keepHabit(actor, 'traffic', { productNo: offer.productNo, choice: { gigabytes } })
  return boughtTrafficScreen(viewOf(ctx), choice, bought)
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
