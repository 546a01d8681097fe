import type { Actor } from '../../../core/access/actor.ts'
import { isDead } from '../../../core/checks/health.ts'
import { ServiceError } from '../../../core/errors.ts'
import { type Micros, toNumber } from '../../../core/money.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { CHANGE, CHANGE_STEPS } from '../../actions/orders.ts'
import type { Read } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import type { StepTable } from '../../kit/steps.ts'
import { durationOf, packTerm, termsOf, unpackTerm } from '../../kit/terms.ts'
import type { BotContext } from '../../session/context.ts'
import { forgetWaiting, type Resume, resumeOf, waitingForMoney } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { ceilingOf } from './quote.ts'
import {
  changeDoneScreen,
  type Numbered,
  pickScreen,
  releaseConfirmScreen,
  renewDeadScreen,
  renewalConfirmScreen,
  renewalTermsScreen,
  type Subject,
} from './change-screens.ts'
import { findOrder, orderScreenFor, proxyAt } from './handlers.ts'
import {
  boughtTerm,
  changeDraft,
  endOf,
  isReleasable,
  isRenewable,
  newChange,
  type OrderChange,
  withChanges,
} from './order-change.ts'

/** Renews and releases proxies of an order: which ones → (for how long) → confirm; a step with one choice is skipped. */
export function orderChangeFeature(): Feature {
  const feature = new Feature()
  for (const act of ['renew', 'release'] as const) {
    feature.onMember(CHANGE[act], (ctx, actor, { id, position }) => begin(ctx, actor, act, id, position))
  }
  feature.onMember(CHANGE.renewNow, renewNow)
  feature.onMember(CHANGE.releaseNow, releaseNow)
  feature.onMember(CHANGE_STEPS.action, go)
  return feature
}

/** @param position of the one proxy that is meant; undefined for all of the order */
async function begin(
  ctx: BotContext,
  actor: Actor,
  act: OrderChange['act'],
  id?: number,
  position?: number,
): Promise<Screen> {
  const order = await findOrder(ctx, actor, id)
  const possible = possibleFor(ctx, act, order)
  const [first, ...others] =
    position === undefined ? possible : possible.filter((one) => one.position === position)
  if (!first) {
    await ctx.notify(ctx.texts.orders[act].none, true)
    return orderScreenFor(ctx, actor, order)
  }
  const one = others.length === 0
  const all = [first, ...others].map((each) => each.position)
  const change = newChange(
    act,
    order.id,
    one ? [first.position] : act === 'renew' ? all : [],
    position === undefined ? undefined : first.position,
  )
  return one
    ? next(ctx, actor, change)
    : keep(ctx, change, pickScreen(viewOf(ctx), change, subjectOf(ctx, actor, change, order), 1))
}

/** Renews a proxy as its screen offered: once, because it ends later then, and not a dead one, which is asked about. */
async function renewNow(
  ctx: BotContext,
  actor: Actor,
  { id, position = -1, until, limit }: Read<typeof CHANGE.renewNow.shape>,
): Promise<Screen> {
  const order = await findOrder(ctx, actor, id)
  const instance = order.instances[position]
  if (!instance || endOf(instance) !== until || !isRenewable(order, instance, ctx.core.now()))
    return proxyAt(ctx, actor, order, position)
  const confirmationKey = `${instance.instanceNo}-${until}`
  const change = newChange('renew', order.id, [position], position)
  const offered = { ...change, term: packTerm(boughtTerm(order)), confirmationKey }
  return carryOut({ confirmationKey, limit }, ctx, actor, offered)
}

/** Releases a proxy as its screen offered. */
async function releaseNow(
  ctx: BotContext,
  actor: Actor,
  { id, position = -1, limit }: Read<typeof CHANGE.releaseNow.shape>,
): Promise<Screen> {
  const order = await findOrder(ctx, actor, id)
  const instance = order.instances[position]
  if (!instance || !isReleasable(order, instance)) return proxyAt(ctx, actor, order, position)
  const change = newChange('release', order.id, [position], position)
  return carryOut({ confirmationKey: change.confirmationKey, limit }, ctx, actor, change)
}

/** What the buttons do to a renewal or release. Each checks the parameters of its button, which may be forged. */
const STEP_HANDLERS: StepTable<
  typeof CHANGE_STEPS.table,
  [ctx: BotContext, actor: Actor, change: OrderChange],
  Promise<Screen>
> = {
  pick: ({ page }, ctx, actor, change) => pick(ctx, actor, change, change.picked, page),
  set: ({ position = -1, on, page }, ctx, actor, change) => {
    const others = change.picked.filter((each) => each !== position)
    return pick(ctx, actor, change, on ? [...others, position] : others, page)
  },
  all: ({ on, page }, ctx, actor, change) => pick(ctx, actor, change, on ? 'all' : [], page),
  next: (_, ctx, actor, change) => next(ctx, actor, change),
  dead: async ({ on }, ctx, actor, change) => {
    if (on) return next(ctx, actor, withChanges(change, { dead: true }))
    const { picked } = await subject(ctx, actor, change)
    const working = picked.filter(({ instance }) => !isDead(instance))
    return next(ctx, actor, withChanges(change, { picked: working.map(({ position }) => position) }))
  },
  terms: async (_, ctx, actor, change) =>
    renewalTermsScreen(viewOf(ctx), change, await subject(ctx, actor, change)),
  term: ({ term = '' }, ctx, actor, change) => confirm(ctx, actor, withChanges(change, { term })),
  confirm: (_, ctx, actor, change) => confirm(ctx, actor, change),
  do: carryOut,
}

/** Carries out a press of a renewal's or release's button; a stale one says so. */
async function go(
  ctx: BotContext,
  actor: Actor,
  { id, step }: Read<typeof CHANGE_STEPS.action.shape>,
): Promise<Screen> {
  const change = await changeDraft.read(ctx)
  if (change && change.id === id) {
    if (change.done) return done(ctx, actor, change, change.done)
    const screen = CHANGE_STEPS.carryOut(step, STEP_HANDLERS, ctx, actor, change)
    if (screen) return screen
  }
  await ctx.notify(ctx.texts.stale)
  return change ? orderScreenFor(ctx, actor, await orderOf(ctx, actor, change)) : ctx.homeScreen()
}

async function keep(ctx: BotContext, change: OrderChange, screen: Screen, resume?: Resume): Promise<Screen> {
  await changeDraft.write(ctx, change, resume)
  return screen
}

function possibleFor({ core }: BotContext, act: OrderChange['act'], order: StaticOrder): Numbered[] {
  const fits = (instance: Instance) =>
    act === 'renew' ? isRenewable(order, instance, core.now()) : isReleasable(order, instance)
  return order.instances
    .map((instance, position) => ({ instance, position }))
    .filter(({ instance }) => fits(instance))
}

function orderOf({ core }: BotContext, actor: Actor, { orderId }: OrderChange): Promise<StaticOrder> {
  return core.orders.getStatic(actor, { id: orderId })
}

/** Loads the order as it is now; proxies that cannot be renewed or released any more are no longer picked. */
async function subject(ctx: BotContext, actor: Actor, change: OrderChange): Promise<Subject> {
  return subjectOf(ctx, actor, change, await orderOf(ctx, actor, change))
}

function subjectOf(ctx: BotContext, actor: Actor, { act, picked }: OrderChange, order: StaticOrder): Subject {
  const possible = possibleFor(ctx, act, order)
  return {
    order,
    possible,
    picked: possible.filter(({ position }) => picked.includes(position)),
    ofUser: order.userId === actor.id ? undefined : order.username,
  }
}

async function pick(
  ctx: BotContext,
  actor: Actor,
  change: OrderChange,
  picked: readonly number[] | 'all',
  page: number,
): Promise<Screen> {
  const { order, possible } = await subject(ctx, actor, change)
  const wanted = possible
    .map(({ position }) => position)
    .filter((position) => picked === 'all' || picked.includes(position))
  const changed = withChanges(change, { picked: wanted, dead: false })
  return keep(ctx, changed, pickScreen(viewOf(ctx), changed, subjectOf(ctx, actor, changed, order), page))
}

/** Shows what follows the picking. */
async function next(ctx: BotContext, actor: Actor, change: OrderChange): Promise<Screen> {
  if (change.act === 'release') return confirm(ctx, actor, change)
  const about = await subject(ctx, actor, change)
  if (mustAsk(change, about)) return keep(ctx, change, renewDeadScreen(viewOf(ctx), change, about))
  const [only, ...others] = termsOf(about.order)
  if (only && others.length === 0) return confirm(ctx, actor, withChanges(change, { term: packTerm(only) }))
  return keep(ctx, change, renewalTermsScreen(viewOf(ctx), change, about))
}

/** Tells whether to ask about dead proxies, which are renewed only when the person says so (rules 17.7). */
function mustAsk({ act, dead }: OrderChange, { picked }: Subject): boolean {
  return act === 'renew' && dead !== true && picked.some(({ instance }) => isDead(instance))
}

async function confirm(ctx: BotContext, actor: Actor, change: OrderChange): Promise<Screen> {
  const view = viewOf(ctx)
  const about = await subject(ctx, actor, change)
  if (about.possible.length === 0) {
    await ctx.notify(ctx.texts.orders[change.act].none, true)
    return orderScreenFor(ctx, actor, about.order)
  }
  if (about.picked.length === 0) {
    await ctx.notify(ctx.texts.orders.choose.nothing)
    return keep(ctx, change, pickScreen(view, change, about, 1))
  }
  if (mustAsk(change, about)) return keep(ctx, change, renewDeadScreen(view, change, about))
  // Only what is possible stays picked, so that exactly what is shown is done.
  const positions = about.picked.map(({ position }) => position)
  const shown =
    positions.length === change.picked.length ? change : withChanges(change, { picked: positions })
  if (change.act === 'release') {
    const quote = await ctx.core.orders.quoteCancellation(actor, releaseOf(shown, about.order))
    return keep(ctx, shown, releaseConfirmScreen(view, shown, about, quote))
  }
  const renewal = renewalOf(shown, about.order)
  if (!renewal) return keep(ctx, shown, renewalTermsScreen(view, shown, about))
  const quote = await ctx.core.orders.quoteRenewal(actor, renewal)
  const resume = resumeOf(quote, CHANGE_STEPS.data(shown, 'confirm'), about.order.userId)
  return keep(ctx, shown, waitingForMoney(renewalConfirmScreen(view, shown, about, quote), resume), resume)
}

/** Returns the numbers of the picked proxies, whatever their state is now. */
function pickedOf({ picked }: OrderChange, { instances }: StaticOrder): string[] {
  return picked.flatMap((position) => instances[position]?.instanceNo ?? [])
}

function releaseOf(change: OrderChange, order: StaticOrder) {
  return { orderNo: order.orderNo, instances: pickedOf(change, order) }
}

/** Builds the core's input of a renewal; undefined while no term is chosen. */
function renewalOf(change: OrderChange, order: StaticOrder) {
  const term = unpackTerm(change.term ?? '')
  if (!term) return undefined
  const instances = pickedOf(change, order).map((instanceNo) => ({ instanceNo }))
  return { order: { id: order.id }, instances, ...durationOf(term) }
}

/**
 * Does what the confirm screen showed, and nothing else.
 *
 * @param limit the most that a renewal may cost, or the least that a release has to give back
 */
async function carryOut(
  { confirmationKey, limit }: Read<typeof CHANGE_STEPS.table.do>,
  ctx: BotContext,
  actor: Actor,
  change: OrderChange,
): Promise<Screen> {
  if (confirmationKey !== change.confirmationKey || limit === undefined) {
    await ctx.notify(ctx.texts.stale)
    return confirm(ctx, actor, change)
  }
  if (mustAsk(change, await subject(ctx, actor, change))) return confirm(ctx, actor, change)
  try {
    const result = await resultOf(ctx, actor, change, limit)
    if (!result) return await confirm(ctx, actor, change)
    await changeDraft.write(ctx, { ...change, done: result })
    await forgetWaiting(ctx, actor, CHANGE_STEPS.action)
    return await done(ctx, actor, change, result)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return confirm(ctx, actor, change)
  }
}

type Done = NonNullable<OrderChange['done']>

async function resultOf(
  ctx: BotContext,
  actor: Actor,
  change: OrderChange,
  limit: Micros,
): Promise<Done | undefined> {
  const order = await orderOf(ctx, actor, change)
  if (change.act === 'release') {
    const released = await ctx.core.orders.cancelStatic(actor, {
      ...releaseOf(change, order),
      minRefund: toNumber(limit),
    })
    const { releasedInstances, refundAmount, balance } = released
    return { count: releasedInstances.length, amount: refundAmount, balance, ends: [] }
  }
  const renewal = renewalOf(change, order)
  if (!renewal) return undefined
  const { instances, amount, balance, status } = await ctx.core.orders.renewStatic(actor, {
    ...renewal,
    totalAmount: ceilingOf(limit),
    appOrderNo: `chat-${change.confirmationKey}`,
  })
  const ends = instances.map(({ newExpireTime }) => newExpireTime).toSorted()
  const processing = status === 'processing'
  return { count: instances.length, amount, balance, ends: [ends[0] ?? '', ends.at(-1) ?? ''], processing }
}

async function done(ctx: BotContext, actor: Actor, change: OrderChange, result: Done): Promise<Screen> {
  const about = await subject(ctx, actor, change)
  return changeDoneScreen(viewOf(ctx), change.act, result, about)
}
