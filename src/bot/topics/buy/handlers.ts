import type { Actor } from '../../../core/access.ts'
import { ServiceError } from '../../../core/errors.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Read } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import type { StepTable } from '../../kit/steps.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { BUY, PURCHASE_STEPS } from './actions.ts'
import { purchaseConfirmScreen, purchaseScreen } from './progress.ts'
import {
  backTo,
  changed,
  likeOrder,
  newPurchase,
  orderOf,
  type Purchase,
  purchaseDraft,
  type Step,
  withoutPromo,
} from './purchase.ts'
import { exactAddresses, howMany, howManyOfRange, whichProject, whichPromoCode } from './questions.ts'
import { ceilingOf } from './quote.ts'
import { rangeScreenFor, rangesScreenFor, takeOfRange } from './ranges.ts'

/**
 * Buying static proxies: product → project → country → city → term → number, ranges or addresses → confirm; a step with one
 * choice is skipped. An agent buys for itself or for a direct sub-user, who then pays.
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
  if (userId === undefined) return change(ctx, actor, newPurchase(actor.id))
  const { username, status } = await ctx.core.accounts.getSubUser(actor, userId)
  if (status === 'active') return change(ctx, actor, newPurchase(userId, username))
  await ctx.notify(ctx.texts.buy.disabled(username), true)
  return ctx.homeScreen()
}

/** The same as in an order, as far as it is still for sale: only the payment is left. */
async function buyAgain(
  ctx: BotContext,
  actor: Actor,
  { order: id = 0 }: Read<typeof BUY.again.shape>,
): Promise<Screen> {
  const order = await ctx.core.orders.getStatic(actor, { id })
  const own = order.userId === actor.id
  const purchase = likeOrder(newPurchase(order.userId, own ? undefined : order.username), order)
  await purchaseDraft.write(ctx, purchase)
  return purchaseConfirmScreen(ctx, actor, purchase)
}

/** What the buttons do to a purchase: each keeps the outcome, and shows what comes next. Its parameters may be forged. */
const STEP_HANDLERS: StepTable<
  typeof PURCHASE_STEPS.table,
  [ctx: BotContext, actor: Actor, purchase: Purchase],
  Promise<Screen | undefined>
> = {
  product: choose('product'),
  project: choose('project'),
  country: choose('country'),
  city: choose('city'),
  term: choose('term'),
  back: goBack,
  page: ({ page }, ctx, actor, purchase) => purchaseScreen(ctx, actor, purchase, page),
  numbers: (_, ctx, actor, purchase) => purchaseScreen(ctx, actor, purchase),
  count: ({ count }, ctx, actor, purchase) =>
    count
      ? purchaseConfirmScreen(ctx, actor, changed(purchase, { wanted: { count } }))
      : purchaseScreen(ctx, actor, purchase),
  ranges: ({ page }, ctx, actor, purchase) => rangesScreenFor(ctx, actor, purchase, page),
  range: ({ range }, ctx, actor, purchase) => rangeScreenFor(ctx, actor, purchase, range),
  take: ({ count = 0, range }, ctx, actor, purchase) => takeOfRange(ctx, actor, purchase, range, count),
  auto: ({ on }, ctx, actor, purchase) =>
    purchaseConfirmScreen(ctx, actor, changed(purchase, { autoRenew: on })),
  confirm: (_, ctx, actor, purchase) => purchaseConfirmScreen(ctx, actor, purchase),
  'no-promo': (_, ctx, actor, purchase) => purchaseConfirmScreen(ctx, actor, withoutPromo(purchase)),
  pay,
  'type-promo': (_, ctx, _actor, { id }) => typed(ctx, whichPromoCode, { id }),
  'type-project': (_, ctx, _actor, { id }) => typed(ctx, whichProject, { id }),
  'type-count': (_, ctx, _actor, { id }) => typed(ctx, howMany, { id }),
  'type-ips': (_, ctx, _actor, { id }) => typed(ctx, exactAddresses, { id }),
  'type-range': ({ range }, ctx, _actor, { id }) => typed(ctx, howManyOfRange, { id, range }),
}

/** A button of a purchase; an old one leads to what the chat buys now. */
async function go(
  ctx: BotContext,
  actor: Actor,
  { id, step }: Read<typeof PURCHASE_STEPS.action.shape>,
): Promise<Screen | undefined> {
  const purchase = await purchaseDraft.read(ctx)
  const paid = purchase?.orderNo !== undefined
  if (purchase && purchase.id === id) {
    if (paid) return purchaseConfirmScreen(ctx, actor, purchase)
    const done = PURCHASE_STEPS.carryOut(step, STEP_HANDLERS, ctx, actor, purchase)
    if (done) return done
  }
  await ctx.notify(ctx.texts.stale)
  return purchase && !paid ? purchaseConfirmScreen(ctx, actor, purchase) : beginPurchase(ctx, actor)
}

async function change(ctx: BotContext, actor: Actor, purchase: Purchase): Promise<Screen> {
  await purchaseDraft.write(ctx, purchase)
  return purchaseScreen(ctx, actor, purchase)
}

function choose(step: Step) {
  return (
    { value = '' }: Read<typeof PURCHASE_STEPS.table.product>,
    ctx: BotContext,
    actor: Actor,
    purchase: Purchase,
  ): Promise<Screen> => {
    const before = backTo(purchase, step)
    return change(ctx, actor, changed(before, { chosen: { ...before.chosen, [step]: value } }))
  }
}

function goBack(
  { to }: Read<typeof PURCHASE_STEPS.table.back>,
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
): Promise<Screen> {
  return to ? change(ctx, actor, backTo(purchase, to)) : purchaseScreen(ctx, actor, purchase)
}

async function typed<State>(ctx: BotContext, question: Question<State>, state: State): Promise<undefined> {
  await ask(ctx, question, state)
  return undefined
}

/** The order of what the confirm screen showed, and of nothing else. */
async function pay(
  { confirmationKey, ceiling }: Read<typeof PURCHASE_STEPS.table.pay>,
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
): Promise<Screen> {
  const order = orderOf(purchase)
  if (!order || confirmationKey !== purchase.confirmationKey || ceiling === undefined) {
    await ctx.notify(ctx.texts.stale)
    return purchaseConfirmScreen(ctx, actor, purchase)
  }
  try {
    const { orderNo } = await ctx.core.orders.createStatic(actor, {
      ...order,
      totalAmount: ceilingOf(ceiling),
      appOrderNo: `chat-${confirmationKey}`,
    })
    const paid = { ...purchase, orderNo }
    await purchaseDraft.write(ctx, paid)
    return await purchaseConfirmScreen(ctx, actor, paid)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return purchaseConfirmScreen(ctx, actor, purchase)
  }
}
