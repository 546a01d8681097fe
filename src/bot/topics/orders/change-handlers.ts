import type { Actor } from '../../../core/access.ts'
import { ServiceError } from '../../../core/errors.ts'
import { type Micros, toNumber } from '../../../core/money.ts'
import { canRenew } from '../../../core/orders/renewal-terms.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { amountOf, pageNumber, wholeNumber } from '../../kit/callback-data.ts'
import type { BotContext } from '../../session/context.ts'
import { type Resume, resumeOf, waitingForMoney } from '../../session/draft.ts'
import { errorText } from '../../kit/errors.ts'
import { changedLife, LIFE, type Life, lifeDraft, newLife, packLife } from './order-change.ts'
import type { Screen } from '../../kit/screen.ts'
import {
  lifeDoneScreen,
  type Numbered,
  pickScreen,
  releaseConfirmScreen,
  renewalConfirmScreen,
  renewalTermsScreen,
  type Subject,
} from './change-screens.ts'
import { findOrder, orderScreenFor } from './handlers.ts'
import { viewOf } from '../../session/view-of.ts'
import { durationOf, packTerm, termsOf, unpackTerm } from '../../kit/terms.ts'
import { ceilingOf } from '../buy/quote.ts'
import { Feature } from '../../session/feature.ts'

/** Renewing and releasing proxies of an order: which ones → (for how long) → confirm; what has one choice is skipped. */
export function orderLifeFeature(): Feature {
  const feature = new Feature()
  for (const act of ['renew', 'release'] as const) {
    feature.onMember(LIFE[act], (ctx, actor, id, position) => begin(ctx, actor, act, id, position))
  }
  feature.onMember(LIFE.go, go)
  return feature
}

/** @param position of the one proxy that is meant; of all that there are, without */
async function begin(
  ctx: BotContext,
  actor: Actor,
  act: Life['act'],
  id?: string,
  position?: string,
): Promise<Screen> {
  const order = await findOrder(ctx, actor, id)
  const possible = possibleFor(ctx, act, order)
  const [first, ...others] =
    position === undefined ? possible : possible.filter((one) => one.position === wholeNumber(position))
  if (!first) {
    await ctx.notify(ctx.texts.orders[act].none, true)
    return orderScreenFor(ctx, actor, order)
  }
  const one = others.length === 0
  const all = [first, ...others].map((each) => each.position)
  const life = newLife(
    act,
    order.id,
    one ? [first.position] : act === 'renew' ? all : [],
    position === undefined ? undefined : first.position,
  )
  return one
    ? next(ctx, actor, life)
    : keep(ctx, life, pickScreen(viewOf(ctx), life, subjectOf(ctx, actor, life, order), 1))
}

type Verb = (ctx: BotContext, actor: Actor, life: Life, ...parameters: string[]) => Promise<Screen>

/** What the buttons do to a renewal or release. Each checks what its button says, which may be forged. */
const VERBS = new Map<string, Verb>([
  ['pick', (ctx, actor, life, page) => pick(ctx, actor, life, life.picked, page)],
  [
    'set',
    (ctx, actor, life, at, on, page) => {
      const others = life.picked.filter((position) => position !== wholeNumber(at))
      return pick(ctx, actor, life, on === '1' ? [...others, wholeNumber(at) ?? -1] : others, page)
    },
  ],
  ['all', (ctx, actor, life, on, page) => pick(ctx, actor, life, on === '1' ? 'all' : [], page)],
  ['next', next],
  [
    'terms',
    async (ctx, actor, life) => renewalTermsScreen(viewOf(ctx), life, await subject(ctx, actor, life)),
  ],
  ['term', (ctx, actor, life, term = '') => confirm(ctx, actor, changedLife(life, { term }))],
  ['confirm', confirm],
  ['do', carryOut],
])

/** A button of a renewal or release; an old one says so. */
async function go(ctx: BotContext, actor: Actor, id?: string, name = '', ...parameters: string[]) {
  const life = await lifeDraft.read(ctx)
  const verb = VERBS.get(name)
  if (life && life.id === id) {
    if (life.done) return done(ctx, actor, life, life.done)
    if (verb) return verb(ctx, actor, life, ...parameters)
  }
  await ctx.notify(ctx.texts.stale)
  return life ? orderScreenFor(ctx, actor, await orderOf(ctx, actor, life)) : ctx.homeScreen()
}

async function keep(ctx: BotContext, life: Life, screen: Screen, resume?: Resume): Promise<Screen> {
  await lifeDraft.write(ctx, life, resume)
  return screen
}

function possibleFor({ core }: BotContext, act: Life['act'], order: StaticOrder): Numbered[] {
  const fits = (instance: Instance) =>
    act === 'renew' ? canRenew(order, instance, core.now()) : instance.status === 'active'
  return order.instances
    .map((instance, position) => ({ instance, position }))
    .filter(({ instance }) => fits(instance))
}

function orderOf({ core }: BotContext, actor: Actor, { orderId }: Life): Promise<StaticOrder> {
  return core.orders.getStatic(actor, { id: orderId })
}

/** What it is about, as it is now: what cannot be renewed or released any more is not picked any more. */
async function subject(ctx: BotContext, actor: Actor, life: Life): Promise<Subject> {
  return subjectOf(ctx, actor, life, await orderOf(ctx, actor, life))
}

function subjectOf(ctx: BotContext, actor: Actor, { act, picked }: Life, order: StaticOrder): Subject {
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
  life: Life,
  picked: readonly number[] | 'all',
  page?: string,
): Promise<Screen> {
  const { order, possible } = await subject(ctx, actor, life)
  const wanted = possible
    .map(({ position }) => position)
    .filter((position) => picked === 'all' || picked.includes(position))
  const changed = changedLife(life, { picked: wanted })
  return keep(
    ctx,
    changed,
    pickScreen(viewOf(ctx), changed, subjectOf(ctx, actor, changed, order), pageNumber(page)),
  )
}

/** What comes after the picking. */
async function next(ctx: BotContext, actor: Actor, life: Life): Promise<Screen> {
  if (life.act === 'release') return confirm(ctx, actor, life)
  const about = await subject(ctx, actor, life)
  const [only, ...others] = termsOf(about.order)
  if (only && others.length === 0) return confirm(ctx, actor, changedLife(life, { term: packTerm(only) }))
  return keep(ctx, life, renewalTermsScreen(viewOf(ctx), life, about))
}

async function confirm(ctx: BotContext, actor: Actor, life: Life): Promise<Screen> {
  const view = viewOf(ctx)
  const about = await subject(ctx, actor, life)
  if (about.possible.length === 0) {
    await ctx.notify(ctx.texts.orders[life.act].none, true)
    return orderScreenFor(ctx, actor, about.order)
  }
  if (about.picked.length === 0) {
    await ctx.notify(ctx.texts.orders.choose.nothing)
    return keep(ctx, life, pickScreen(view, life, about, 1))
  }
  // What can be done is settled here: what is done is what is shown.
  const positions = about.picked.map(({ position }) => position)
  const settled = positions.length === life.picked.length ? life : changedLife(life, { picked: positions })
  if (life.act === 'release') {
    const quote = await ctx.core.orders.quoteCancellation(actor, releaseOf(settled, about.order))
    return keep(ctx, settled, releaseConfirmScreen(view, settled, about, quote))
  }
  const renewal = renewalOf(settled, about.order)
  if (!renewal) return keep(ctx, settled, renewalTermsScreen(view, settled, about))
  const quote = await ctx.core.orders.quoteRenewal(actor, renewal)
  const resume = resumeOf(quote, packLife(settled, 'confirm'), about.order.userId)
  return keep(
    ctx,
    settled,
    waitingForMoney(renewalConfirmScreen(view, settled, about, quote), resume),
    resume,
  )
}

/** The proxies that are picked, whatever has become of them. */
function pickedOf({ picked }: Life, { instances }: StaticOrder): string[] {
  return picked.flatMap((position) => instances[position]?.instanceNo ?? [])
}

function releaseOf(life: Life, order: StaticOrder) {
  return { orderNo: order.orderNo, instances: pickedOf(life, order) }
}

/** Undefined while it is not said for how long. */
function renewalOf(life: Life, order: StaticOrder) {
  const term = unpackTerm(life.term ?? '')
  if (!term) return undefined
  const instances = pickedOf(life, order).map((instanceNo) => ({ instanceNo }))
  return { order: { id: order.id }, instances, ...durationOf(term) }
}

/**
 * Does what the confirm screen showed, and nothing else.
 *
 * @param limit the most that a renewal may cost, or the least that a release has to give back
 */
async function carryOut(
  ctx: BotContext,
  actor: Actor,
  life: Life,
  seal?: string,
  limit?: string,
): Promise<Screen> {
  const micros = amountOf(limit)
  if (seal !== life.seal || micros === undefined) {
    await ctx.notify(ctx.texts.stale)
    return confirm(ctx, actor, life)
  }
  try {
    const result = await resultOf(ctx, actor, life, micros)
    if (!result) return await confirm(ctx, actor, life)
    await lifeDraft.write(ctx, { ...life, done: result })
    return await done(ctx, actor, life, result)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return confirm(ctx, actor, life)
  }
}

type Done = NonNullable<Life['done']>

async function resultOf(ctx: BotContext, actor: Actor, life: Life, limit: Micros): Promise<Done | undefined> {
  const order = await orderOf(ctx, actor, life)
  if (life.act === 'release') {
    const released = await ctx.core.orders.cancelStatic(actor, {
      ...releaseOf(life, order),
      minRefund: toNumber(limit),
    })
    const { releasedInstances, refundAmount, balance } = released
    return { count: releasedInstances.length, amount: refundAmount, balance, ends: [] }
  }
  const renewal = renewalOf(life, order)
  if (!renewal) return undefined
  const { instances, amount, balance } = await ctx.core.orders.renewStatic(actor, {
    ...renewal,
    totalAmount: ceilingOf(limit),
    appOrderNo: `chat-${life.seal}`,
  })
  const ends = instances.map(({ newExpireTime }) => newExpireTime).toSorted()
  return { count: instances.length, amount, balance, ends: [ends[0] ?? '', ends.at(-1) ?? ''] }
}

async function done(ctx: BotContext, actor: Actor, life: Life, result: Done): Promise<Screen> {
  const about = await subject(ctx, actor, life)
  return lifeDoneScreen(viewOf(ctx), life.act, result, about)
}
