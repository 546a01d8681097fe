import { z } from 'zod'
import type { Actor } from '../../../core/access/actor.ts'
import { ServiceError } from '../../../core/errors.ts'
import { isDead } from '../../../core/checks/health.ts'
import { randomText } from '../../../core/ids.ts'
import type { ReplacementQuote } from '../../../core/orders/replace-instance.ts'
import type { Replacement } from '../../../core/orders/replacement.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { ORDERS, PROXIES, REPLACE } from '../../actions/orders.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { checkedScreen } from './check-screens.ts'
import { findOrder, orderScreenFor } from './handlers.ts'
import { type ProxyAt, reasonsScreen, replaceConfirmScreen, replacedScreen } from './replace-screens.ts'
import { orderTestScreen, proxiesTestScreen, testedUser } from './test-screens.ts'

/** Tests proxies, and replaces one: what is wrong → what will happen → confirm. */
export function proxyCareFeature(): Feature {
  const feature = new Feature()
  feature.onMember(ORDERS.test, (ctx, actor, { id, position }) =>
    withProxy(ctx, actor, { id, position }, async (order, instance, at) => {
      // The answer takes a while.
      await ctx.notify(ctx.texts.orders.check.testing)
      const check = await ctx.core.checks.check(actor, { instanceNo: instance.instanceNo })
      return checkedScreen(viewOf(ctx), order, instance, at.position, check)
    }),
  )
  feature.onMember(ORDERS.testAll, async (ctx, actor, { id }) => {
    await asked(ctx, ctx.core.checks.testOrder(actor, { id: id ?? 0 }))
    return testOf(ctx, actor, id)
  })
  feature.onMember(ORDERS.tested, (ctx, actor, { id, page }) => testOf(ctx, actor, id, page))
  feature.onMember(PROXIES.testAll, async (ctx, actor, { user = actor.id }) => {
    await asked(ctx, ctx.core.checks.testProxies(actor, { userId: user }))
    return testOfUser(ctx, actor, user)
  })
  feature.onMember(PROXIES.tested, (ctx, actor, { user = actor.id, page }) =>
    testOfUser(ctx, actor, user, page),
  )
  feature.onMember(REPLACE.begin, (ctx, actor, { id, position }) =>
    withProxy(ctx, actor, { id, position }, (_order, instance, at) =>
      beginReplacement(ctx, actor, instance, at),
    ),
  )
  feature.onMember(REPLACE.reason, (ctx, actor, { id, position, reason: code = 'dead', key }) => {
    const reason = ctx.texts.orders.replace.reasons[code]
    return key === undefined
      ? withProxy(ctx, actor, { id, position }, async (_order, instance, at) =>
          preview(ctx, actor, instance, at, reason),
        )
      : confirm(ctx, actor, key, reason)
  })
  feature.onMember(REPLACE.ownReason, (ctx, actor, { id, position }) =>
    withProxy(ctx, actor, { id, position }, async (_order, _instance, at) => {
      await ask(ctx, whyReplace, at)
      return undefined
    }),
  )
  feature.onMember(REPLACE.confirm, (ctx, actor, { key }) => confirm(ctx, actor, key))
  return feature
}

/** Waits until a test is asked for; that it was tested a moment ago is said, and what came of it is shown. */
async function asked(ctx: BotContext, test: Promise<unknown>): Promise<void> {
  try {
    await test
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error
    await ctx.notify(ctx.texts.orders.test.tooSoon)
  }
}

async function testOfUser(ctx: BotContext, actor: Actor, userId: number, page = 1): Promise<Screen> {
  const user = await testedUser(ctx.core, actor, userId)
  return proxiesTestScreen(viewOf(ctx), user, await ctx.core.checks.proxiesTest(actor, { userId }), page)
}

async function testOf(ctx: BotContext, actor: Actor, id: number | undefined, page = 1): Promise<Screen> {
  const order = await findOrder(ctx, actor, id)
  return orderTestScreen(viewOf(ctx), order, await ctx.core.checks.orderTest(actor, order), page)
}

/** The replacement shown for confirmation; `key` is its idempotency key. */
const replaceDraft = draft(
  'replace',
  z.object({
    key: z.string(),
    id: z.int(),
    position: z.int(),
    instanceNo: z.string(),
    reason: z.string(),
    refund: z.boolean(),
  }),
)

/** Shows a proxy that a button names, or its order when there is none at the position. */
async function withProxy<Shown>(
  ctx: BotContext,
  actor: Actor,
  { id, position = -1 }: { readonly id: number | undefined; readonly position: number | undefined },
  show: (order: StaticOrder, instance: Instance, at: ProxyAt) => Promise<Shown>,
): Promise<Shown | Screen> {
  const order = await findOrder(ctx, actor, id)
  const instance = order.instances[position]
  if (!instance) return orderScreenFor(ctx, actor, order)
  return show(order, instance, { id: order.id, position })
}

/** Time in ms after a replacement during which another press only shows it. */
const JUST_NOW_MS = 60_000

/**
 * Asks what is wrong with the proxy; a dead one is replaced at once where an equal one is free (rules 17.7). A replacement that is
 * under way, or was done a moment ago, is shown instead.
 */
async function beginReplacement(
  ctx: BotContext,
  actor: Actor,
  instance: Instance,
  at: ProxyAt,
): Promise<Screen> {
  const { core, texts } = ctx
  const { instanceNo } = instance
  const replacements = await core.orders.listReplacements(actor, { instanceNo })
  const [last] = replacements
  if (last && isCurrent(last, core.now())) return outcome(ctx, actor, last, at)
  const quote = await core.orders.quoteReplacement(actor, { instanceNo })
  const { available } = quote
  if (!isDead(instance)) {
    const key = available || quote.way === 'ask' ? await keepWish(ctx, quote, at, '') : undefined
    return reasonsScreen(viewOf(ctx), quote, at, key)
  }
  const reason = texts.orders.replace.reasons.dead
  if (!available) return preview(ctx, actor, instance, at, reason)
  const requestKey = `chat-dead-${instanceNo}-${replacements.length}`
  return outcome(ctx, actor, await core.orders.replaceInstance(actor, { instanceNo, reason, requestKey }), at)
}

function isCurrent({ status, endedAt, createdAt }: Replacement, now: Date): boolean {
  if (status === 'requested' || status === 'processing') return true
  return status === 'done' && now.getTime() - Date.parse(endedAt ?? createdAt) < JUST_NOW_MS
}

async function outcome(
  ctx: BotContext,
  actor: Actor,
  replacement: Replacement,
  at: ProxyAt,
): Promise<Screen> {
  return replacedScreen(viewOf(ctx), await findOrder(ctx, actor, at.id), replacement, at)
}

async function preview(
  ctx: BotContext,
  actor: Actor,
  { instanceNo }: Pick<Instance, 'instanceNo'>,
  at: ProxyAt,
  reason: string,
): Promise<Screen> {
  const quote = await ctx.core.orders.quoteReplacement(actor, { instanceNo })
  const key = await keepWish(ctx, quote, at, reason)
  return replaceConfirmScreen(viewOf(ctx), quote, at, { reason, key })
}

/** Keeps what a screen says will happen; returns the key under which a button does it. */
async function keepWish(
  ctx: BotContext,
  { instanceNo, available }: ReplacementQuote,
  at: ProxyAt,
  reason: string,
): Promise<string> {
  const key = randomText(10)
  await replaceDraft.write(ctx, { key, ...at, instanceNo, reason, refund: !available })
  return key
}

/** @param reason where the screen has asked for it */
async function confirm(
  ctx: BotContext,
  actor: Actor,
  key: string | undefined,
  reason?: string,
): Promise<Screen> {
  const wish = await replaceDraft.read(ctx)
  if (!wish || wish.key !== key) {
    await ctx.notify(ctx.texts.stale)
    return ctx.homeScreen()
  }
  const { id, position, instanceNo, refund } = wish
  const replacement = await ctx.core.orders.replaceInstance(actor, {
    instanceNo,
    reason: reason ?? wish.reason,
    refund,
    requestKey: `chat-${key}`,
  })
  return outcome(ctx, actor, replacement, { id, position })
}

/** What is wrong with a proxy, in the customer's words. */
export const whyReplace: Question<ProxyAt> = {
  name: 'orders.why-replace',
  prompt: ({ texts }, _actor, at) =>
    promptScreen(texts, texts.orders.replace.typeReason, ORDERS.proxy.data(at)),
  answer: async (ctx, actor, at, reason) => ({
    screen: await withProxy(ctx, actor, at, (_order, instance) => preview(ctx, actor, instance, at, reason)),
  }),
}
