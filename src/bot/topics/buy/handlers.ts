import type { Actor } from '../../../core/access.ts'
import { ServiceError } from '../../../core/errors.ts'
import { amountOf, pageNumber, wholeNumber } from '../../kit/callback-data.ts'
import type { BotContext } from '../../session/context.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import { errorText } from '../../kit/errors.ts'
import {
  backTo,
  BUY,
  changed,
  newPurchase,
  orderOf,
  type Purchase,
  purchaseDraft,
  type Step,
  STEPS,
} from './purchase.ts'
import type { Screen } from '../../kit/screen.ts'
import { exactAddresses, howMany, howManyOfRange, whichProject } from './questions.ts'
import { purchaseConfirmScreen, purchaseScreen } from './progress.ts'
import { rangeScreenFor, rangesScreenFor, takeOfRange } from './ranges.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { ceilingOf } from './quote.ts'
import { Feature } from '../../session/feature.ts'

/**
 * Buying static proxies: product → project → country → city → term → number, ranges or addresses → confirm; a step with one
 * choice is skipped. An agent buys for itself or for a direct sub-user, who then pays.
 */
export function buyFeature(): Feature {
  const feature = new Feature()
  const begin = (ctx: BotContext) => showToMember(ctx, (actor) => beginPurchase(ctx, actor))
  feature.command('buy', begin)
  feature.on(BUY.begin, begin)
  feature.onMember(BUY.beginFor, (ctx, actor, userId) => beginPurchase(ctx, actor, wholeNumber(userId) ?? 0))
  feature.onMember(BUY.go, go)
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

/** What a button does to a purchase: keeps the outcome, and shows what comes next. Its parameters may be forged. */
type Verb = (
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  ...parameters: string[]
) => Promise<Screen | undefined>

const VERBS = new Map<string, Verb>([
  ...STEPS.map((step): [Step, Verb] => [step, choose(step)]),
  ['back', goBack],
  ['page', (ctx, actor, purchase, page) => purchaseScreen(ctx, actor, purchase, pageNumber(page))],
  ['numbers', (ctx, actor, purchase) => purchaseScreen(ctx, actor, purchase)],
  ['count', count],
  ['ranges', (ctx, actor, purchase, page) => rangesScreenFor(ctx, actor, purchase, pageNumber(page))],
  ['range', (ctx, actor, purchase, ...range) => rangeScreenFor(ctx, actor, purchase, range.join(':'))],
  [
    'take',
    (ctx, actor, purchase, number, ...range) =>
      takeOfRange(ctx, actor, purchase, range.join(':'), wholeNumber(number) ?? 0),
  ],
  ['auto', switchAutoRenew],
  ['confirm', purchaseConfirmScreen],
  ['pay', pay],
  ['type-project', (ctx, _actor, { id }) => typed(ctx, whichProject, { id })],
  ['type-count', (ctx, _actor, { id }) => typed(ctx, howMany, { id })],
  ['type-ips', (ctx, _actor, { id }) => typed(ctx, exactAddresses, { id })],
  [
    'type-range',
    (ctx, _actor, { id }, ...range) => typed(ctx, howManyOfRange, { id, range: range.join(':') }),
  ],
])

/** A button of a purchase; an old one leads to what the chat buys now. */
async function go(ctx: BotContext, actor: Actor, id?: string, name = '', ...parameters: string[]) {
  const purchase = await purchaseDraft.read(ctx)
  const verb = VERBS.get(name)
  const paid = purchase?.orderNo !== undefined
  if (purchase && purchase.id === id) {
    if (paid) return purchaseConfirmScreen(ctx, actor, purchase)
    if (verb) return verb(ctx, actor, purchase, ...parameters)
  }
  await ctx.notify(ctx.texts.stale)
  return purchase && !paid ? purchaseConfirmScreen(ctx, actor, purchase) : beginPurchase(ctx, actor)
}

async function change(ctx: BotContext, actor: Actor, purchase: Purchase): Promise<Screen> {
  await purchaseDraft.write(ctx, purchase)
  return purchaseScreen(ctx, actor, purchase)
}

function choose(step: Step): Verb {
  return (ctx, actor, purchase, value = '') => {
    const before = backTo(purchase, step)
    return change(ctx, actor, changed(before, { chosen: { ...before.chosen, [step]: value } }))
  }
}

async function goBack(ctx: BotContext, actor: Actor, purchase: Purchase, to?: string): Promise<Screen> {
  const step = STEPS.find((each) => each === to)
  return step ? change(ctx, actor, backTo(purchase, step)) : purchaseScreen(ctx, actor, purchase)
}

async function count(ctx: BotContext, actor: Actor, purchase: Purchase, number?: string): Promise<Screen> {
  const wanted = wholeNumber(number)
  if (!wanted) return purchaseScreen(ctx, actor, purchase)
  return purchaseConfirmScreen(ctx, actor, changed(purchase, { wanted: { count: wanted } }))
}

async function switchAutoRenew(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  on?: string,
): Promise<Screen> {
  return purchaseConfirmScreen(ctx, actor, changed(purchase, { autoRenew: on === '1' }))
}

async function typed<State>(ctx: BotContext, question: Question<State>, state: State): Promise<undefined> {
  await ask(ctx, question, state)
  return undefined
}

/**
 * The order of what the confirm screen showed, and of nothing else.
 *
 * @param ceiling what it may cost at most
 */
async function pay(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  seal?: string,
  ceiling?: string,
): Promise<Screen> {
  const order = orderOf(purchase)
  const most = amountOf(ceiling)
  if (!order || seal !== purchase.seal || most === undefined) {
    await ctx.notify(ctx.texts.stale)
    return purchaseConfirmScreen(ctx, actor, purchase)
  }
  try {
    const { orderNo } = await ctx.core.orders.createStatic(actor, {
      ...order,
      totalAmount: ceilingOf(most),
      appOrderNo: `chat-${seal}`,
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
