import type { Actor } from '../../../core/access/actor.ts'
import { ServiceError } from '../../../core/errors.ts'
import { BUY, PURCHASE_STEPS, type Step } from '../../actions/buy.ts'
import type { Read } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import type { StepTable } from '../../kit/steps.ts'
import type { BotContext } from '../../session/context.ts'
import { forgetWaiting } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import { addressesScreenFor, tick } from './addresses.ts'
import { askScreen, pickerScreen } from './picker-screens.ts'
import { progressIn, purchaseScreenFor } from './progress.ts'
import {
  changed,
  choosing,
  likeOrder,
  newPurchase,
  orderOf,
  type Purchase,
  purchaseDraft,
  withoutPromo,
  ofProduct,
} from './purchase.ts'
import { ceilingOf } from '../orders/quote.ts'
import { rangeScreenFor, rangesScreenFor, takeOfRange } from './ranges.ts'
import { keepPurchase, startPurchase, startWith } from './start.ts'
import { sameTerm } from './steps.ts'

/**
 * Sells static proxies on one screen, preset to what the person bought last, with a list for each choice (rules 5.25). An agent buys
 * for itself or for a direct sub-user, who then pays. Typed input is handled in `conversation.ts`.
 */
export function buyFeature(): Feature {
  const feature = new Feature()
  const begin = (ctx: BotContext) => showToMember(ctx, (actor) => beginPurchase(ctx, actor))
  feature.command('buy', begin)
  feature.on(BUY.begin, begin)
  feature.onMember(BUY.beginFor, (ctx, actor, { user = 0 }) => beginPurchase(ctx, actor, user))
  feature.onMember(BUY.again, buyAgain)
  feature.onMember(PURCHASE_STEPS.action, go)
  return feature
}

/** @param userId a sub-user to buy for */
async function beginPurchase(ctx: BotContext, actor: Actor, userId?: number): Promise<Screen> {
  if (userId === undefined) return startPurchase(ctx, actor, newPurchase(actor.id))
  const { username, status } = await ctx.core.accounts.getSubUser(actor, userId)
  if (status === 'active') return startPurchase(ctx, actor, newPurchase(userId, username))
  await ctx.notify(ctx.texts.buy.disabled(username), true)
  return ctx.homeScreen()
}

/** Begins the purchase of what an order was for, as far as it is still for sale: only the payment is left. */
async function buyAgain(
  ctx: BotContext,
  actor: Actor,
  { order: id = 0 }: Read<typeof BUY.again.shape>,
): Promise<Screen> {
  const order = await ctx.core.orders.getStatic(actor, { id })
  const own = order.userId === actor.id
  const purchase = likeOrder(newPurchase(order.userId, own ? undefined : order.username), order)
  return purchaseScreenFor(ctx, actor, purchase)
}

/** What the buttons do to a purchase: each stores the change and shows the result. Their parameters may be forged. */
const STEP_HANDLERS: StepTable<
  typeof PURCHASE_STEPS.table,
  [ctx: BotContext, actor: Actor, purchase: Purchase],
  Promise<Screen>
> = {
  product: ({ value }, ctx, actor, purchase) => startWith(ctx, actor, purchase, value),
  project: choose('project'),
  country: choose('country'),
  city: choose('city'),
  term: choose('term'),
  there: async ({ product = '', country = '', city }, ctx, actor, purchase) => {
    const progress = await progressIn(ctx, actor, purchase)
    const term = progress && sameTerm(progress, product)
    const place = { product, country, ...(city && { city }) }
    return purchaseScreenFor(ctx, actor, ofProduct(purchase, place, term))
  },
  pick: ({ step = 'country', page }, ctx, actor, purchase) => picker(ctx, actor, purchase, step, page),
  count: ({ count }, ctx, actor, purchase) =>
    purchaseScreenFor(ctx, actor, count ? changed(purchase, { wanted: { count } }) : purchase),
  ranges: ({ page }, ctx, actor, purchase) => rangesScreenFor(ctx, actor, purchase, page),
  range: ({ range }, ctx, actor, purchase) => rangeScreenFor(ctx, actor, purchase, range),
  take: ({ count = 0, range }, ctx, actor, purchase) => takeOfRange(ctx, actor, purchase, range, count),
  ips: ({ page }, ctx, actor, purchase) => addressesScreenFor(ctx, actor, purchase, page),
  ip: ({ page, ip }, ctx, actor, purchase) => tick(ctx, actor, purchase, ip, page),
  auto: ({ on }, ctx, actor, purchase) => purchaseScreenFor(ctx, actor, changed(purchase, { autoRenew: on })),
  confirm: (_, ctx, actor, purchase) => purchaseScreenFor(ctx, actor, purchase),
  'no-promo': (_, ctx, actor, purchase) => purchaseScreenFor(ctx, actor, withoutPromo(purchase)),
  'type-promo': (_, ctx, actor, purchase) => askForPromo(ctx, actor, purchase),
  pay,
  // Buttons of earlier versions.
  back: ({ to = 'country' }, ctx, actor, purchase) => picker(ctx, actor, purchase, to, 1),
  page: (_, ctx, actor, purchase) => purchaseScreenFor(ctx, actor, purchase),
  numbers: (_, ctx, actor, purchase) => purchaseScreenFor(ctx, actor, purchase),
  'type-project': (_, ctx, actor, purchase) => picker(ctx, actor, purchase, 'project', 1),
  'type-count': (_, ctx, actor, purchase) => purchaseScreenFor(ctx, actor, purchase),
  'type-ips': (_, ctx, actor, purchase) => addressesScreenFor(ctx, actor, purchase, 1),
  'type-range': ({ range }, ctx, actor, purchase) => rangeScreenFor(ctx, actor, purchase, range),
}

/** Carries out a press of a purchase's button; a stale one leads to the purchase that is under way now. */
async function go(
  ctx: BotContext,
  actor: Actor,
  { id, step }: Read<typeof PURCHASE_STEPS.action.shape>,
): Promise<Screen | undefined> {
  const purchase = await purchaseDraft.read(ctx)
  const paid = purchase?.orderNo !== undefined
  if (purchase && purchase.id === id) {
    if (paid) return purchaseScreenFor(ctx, actor, purchase)
    const done = PURCHASE_STEPS.carryOut(step, STEP_HANDLERS, ctx, actor, purchase)
    if (done) return done
  }
  await ctx.notify(ctx.texts.stale)
  return purchase && !paid ? purchaseScreenFor(ctx, actor, purchase) : beginPurchase(ctx, actor)
}

function choose(step: Exclude<Step, 'product'>) {
  return (
    { value = '' }: Read<typeof PURCHASE_STEPS.table.country>,
    ctx: BotContext,
    actor: Actor,
    purchase: Purchase,
  ): Promise<Screen> => purchaseScreenFor(ctx, actor, choosing(purchase, step, value))
}

/** Shows what can be chosen at a step, or the purchase where the step is not reached yet. */
async function picker(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  step: Step,
  page: number,
): Promise<Screen> {
  const progress = await progressIn(ctx, actor, purchase)
  return progress?.before[step]
    ? pickerScreen(viewOf(ctx), purchase, progress, step, page)
    : purchaseScreenFor(ctx, actor, purchase)
}

async function askForPromo(ctx: BotContext, actor: Actor, purchase: Purchase): Promise<Screen> {
  const progress = await progressIn(ctx, actor, purchase)
  return progress
    ? askScreen(viewOf(ctx), purchase, progress, 'promo', ctx.texts.buy.promo.question)
    : purchaseScreenFor(ctx, actor, purchase)
}

/** Places the order for exactly what the screen showed. */
async function pay(
  { confirmationKey, ceiling }: Read<typeof PURCHASE_STEPS.table.pay>,
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
): Promise<Screen> {
  const order = orderOf(purchase)
  if (!order || confirmationKey !== purchase.confirmationKey || ceiling === undefined) {
    await ctx.notify(ctx.texts.stale)
    return purchaseScreenFor(ctx, actor, purchase)
  }
  try {
    const { orderNo } = await ctx.core.orders.createStatic(actor, {
      ...order,
      totalAmount: ceilingOf(ceiling),
      appOrderNo: `chat-${confirmationKey}`,
    })
    const paid = { ...purchase, orderNo }
    await purchaseDraft.write(ctx, paid)
    await forgetWaiting(ctx, actor, PURCHASE_STEPS.action)
    await keepPurchase(ctx, actor, purchase)
    return await purchaseScreenFor(ctx, actor, paid)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return purchaseScreenFor(ctx, actor, purchase)
  }
}
