import type { Actor } from '../../../core/access/actor.ts'
import { isDead } from '../../../core/checks/health.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { TogetherQuote } from '../../../core/orders/renew-together.ts'
import { searchLines, SEARCH_LIMITS } from '../../../core/orders/search-static-orders.ts'
import { MAX_NOTE } from '../../../core/orders/set-note.ts'
import { SELECT, SELECTION_STEPS } from '../../actions/orders.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Read } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import type { StepTable } from '../../kit/steps.ts'
import { durationOf, unpackTerm } from '../../kit/terms.ts'
import { typedTerm } from '../../kit/typed-term.ts'
import type { BotContext } from '../../session/context.ts'
import { forgetWaiting, resumeOf, waitingForMoney } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { ceilingOf } from './quote.ts'
import {
  changedSelection,
  chosenBy,
  commonTerms,
  newSelection,
  type Selection,
  selectionDraft,
} from './selection.ts'
import {
  type Choice,
  noteOfManyScreen,
  SELECTING,
  selectionDeadScreen,
  selectionDoneScreen,
  selectionScreen,
} from './selection-screens.ts'
import { answersOf } from './selection-outcome.ts'
import { proxiesOf } from './proxies.ts'
import { ALL_IN_USE } from './proxies-screens.ts'

/** Renews many proxies at once, switches their automatic renewal, and notes what they are for (rules 5.30). */
export function selectionFeature(): Feature {
  const feature = new Feature()
  feature.onMember(SELECT.begin, begin)
  feature.onMember(SELECTION_STEPS.action, go)
  return feature
}

/** Begins a selection; proxies that end soon are chosen at first. */
async function begin(
  ctx: BotContext,
  actor: Actor,
  { user, product, country }: Read<typeof SELECT.begin.shape>,
): Promise<Screen> {
  const sub = user === undefined ? undefined : await ctx.core.accounts.getSubUser(actor, user)
  const of = {
    userId: sub?.id ?? actor.id,
    ...(sub && { ofUser: sub.username }),
    ...(product !== undefined && { product }),
    ...(country !== undefined && { country }),
  }
  const { proxies } = await choiceOf(ctx, actor, of)
  if (proxies.length > 0)
    return screenOf(ctx, actor, newSelection(of, chosenBy('soon', proxies, ctx.core.now())))
  await ctx.notify(ctx.texts.selection.none, true)
  return proxiesOf(ctx, actor, { ...ALL_IN_USE, user, product, country }, 1)
}

/** What the buttons do to a selection. Each checks the parameters of its button, which may be forged. */
const STEP_HANDLERS: StepTable<
  typeof SELECTION_STEPS.table,
  [ctx: BotContext, actor: Actor, selection: Selection],
  Promise<Screen | undefined>
> = {
  show: ({ page }, ctx, actor, selection) => screenOf(ctx, actor, selection, page),
  set: ({ proxy, on, page }, ctx, actor, selection) => {
    const others = selection.chosen.filter((id) => id !== proxy)
    const chosen = on && proxy !== undefined ? [...others, proxy] : others
    return screenOf(ctx, actor, changedSelection(selection, { chosen }), page)
  },
  choose: async ({ by = 'none' }, ctx, actor, selection) => {
    const { proxies } = await choiceOf(ctx, actor, selection)
    const chosen =
      by === 'alive'
        ? selection.chosen.filter((id) => !proxies.some((proxy) => proxy.id === id && isDead(proxy)))
        : chosenBy(by, proxies, ctx.core.now())
    return screenOf(ctx, actor, changedSelection(selection, { chosen }))
  },
  term: ({ term }, ctx, actor, selection) => screenOf(ctx, actor, withTerm(selection, term)),
  auto: ({ on }, ctx, actor, selection) => setAutoRenew(ctx, actor, selection, on),
  note: async (_, ctx, _actor, selection) => {
    await ask(ctx, whatNoteOfMany, { id: selection.id })
    return undefined
  },
  renew,
}

/** Carries out a press of a selection's button; a stale one leads to the list of proxies. */
async function go(
  ctx: BotContext,
  actor: Actor,
  { id, step }: Read<typeof SELECTION_STEPS.action.shape>,
): Promise<Screen | undefined> {
  const selection = await selectionDraft.read(ctx)
  if (selection && selection.id === id) {
    if (selection.done) return outcomeScreen(ctx, actor, selection, selection.done)
    const done = SELECTION_STEPS.carryOut(step, STEP_HANDLERS, ctx, actor, selection)
    if (done) return done
  }
  await ctx.notify(ctx.texts.stale)
  return proxiesOf(ctx, actor, ALL_IN_USE, 1)
}

function choiceOf(
  { core }: BotContext,
  actor: Actor,
  { userId, product, country }: Pick<Selection, 'userId' | 'product' | 'country'>,
): Promise<Choice> {
  return core.orders.renewableProxies(actor, {
    userId,
    ...(product !== undefined && { productId: product }),
    ...(country !== undefined && { countryCode: country }),
  })
}

function withTerm(selection: Selection, term: string | undefined): Selection {
  const { term: _term, ...rest } = selection
  return changedSelection(rest, term ? { term } : {})
}

/** Shows a selection and stores it as shown, without proxies that cannot be renewed any more. */
async function screenOf(ctx: BotContext, actor: Actor, selection: Selection, page = 1): Promise<Screen> {
  const choice = await choiceOf(ctx, actor, selection)
  const known = new Set(choice.proxies.map(({ id }) => id))
  const chosen = selection.chosen.filter((id) => known.has(id))
  const quote = await quoteOf(ctx, actor, { ...selection, chosen }, choice)
  const quoted = quote?.parts.flatMap(({ items }) => items.map(({ instanceNo }) => instanceNo)) ?? []
  const same = quoted.join() === selection.quoted.join()
  const shown = same ? { ...selection, chosen } : changedSelection(selection, { chosen, quoted })
  const resume = quote && resumeOf(quote, SELECTION_STEPS.data(shown, 'show', { page: 1 }), selection.userId)
  await selectionDraft.write(ctx, shown, resume)
  return waitingForMoney(selectionScreen(viewOf(ctx), shown, choice, quote, page), resume)
}

function numbersOf({ chosen }: Selection, { proxies }: Choice): string[] {
  const ids = new Set(chosen)
  return proxies.filter(({ id }) => ids.has(id)).map(({ instanceNo }) => instanceNo)
}

async function quoteOf(
  { core }: BotContext,
  actor: Actor,
  selection: Selection,
  choice: Choice,
): Promise<TogetherQuote | undefined> {
  const instances = numbersOf(selection, choice)
  return instances.length === 0
    ? undefined
    : core.orders.quoteTogether(actor, { instances, ...termIn(selection) })
}

function termIn({ term }: Selection) {
  const length = unpackTerm(term ?? '')
  return length ? durationOf(length) : {}
}

/** Sets the automatic renewal of the chosen proxies that are in use. */
async function setAutoRenew(
  ctx: BotContext,
  actor: Actor,
  selection: Selection,
  autoRenew: boolean,
): Promise<Screen> {
  const { proxies, more } = await choiceOf(ctx, actor, selection)
  const active = proxies.filter(({ status }) => status === 'active')
  const instances = numbersOf(selection, { proxies: active, more })
  if (instances.length === 0) await ctx.notify(ctx.texts.selection.autoNone, true)
  else {
    const count = await ctx.core.orders.setAutoRenewTogether(actor, { instances, autoRenew })
    await ctx.notify(ctx.texts.selection.autoSet(autoRenew, count))
  }
  return screenOf(ctx, actor, selection)
}

/** Renews what the screen showed, and nothing else. */
async function renew(
  { confirmationKey, limit, dead: withDead }: Read<typeof SELECTION_STEPS.table.renew>,
  ctx: BotContext,
  actor: Actor,
  selection: Selection,
): Promise<Screen> {
  if (confirmationKey !== selection.confirmationKey || limit === undefined) {
    await ctx.notify(ctx.texts.stale)
    return screenOf(ctx, actor, selection)
  }
  const { proxies } = await choiceOf(ctx, actor, selection)
  const dead = proxies.filter((proxy) => selection.quoted.includes(proxy.instanceNo) && isDead(proxy))
  if (dead.length > 0 && !withDead)
    return selectionDeadScreen(viewOf(ctx), selection, dead, { totalAmount: limit })
  try {
    const done = await renewed(ctx, actor, selection, ceilingOf(limit))
    await selectionDraft.write(ctx, { ...selection, done })
    await forgetWaiting(ctx, actor, SELECTION_STEPS.action)
    return await outcomeScreen(ctx, actor, selection, done)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return screenOf(ctx, actor, selection)
  }
}

async function renewed(
  ctx: BotContext,
  actor: Actor,
  selection: Selection,
  most: number,
): Promise<NonNullable<Selection['done']>> {
  const { renewals, totalAmount, balance } = await ctx.core.orders.renewTogether(
    actor,
    { instances: selection.quoted, ...termIn(selection), totalAmount: most },
    `chat-${selection.confirmationKey}`,
  )
  const instances = renewals.flatMap((renewal) => renewal.instances)
  const ends = instances.map(({ newExpireTime }) => newExpireTime).toSorted()
  return {
    count: instances.length,
    amount: totalAmount,
    balance,
    ends: [ends[0] ?? '', ends.at(-1) ?? ''],
    waiting: instances.filter(({ status }) => status === 'processing').length,
    renewals: renewals
      .filter(({ status }) => status === 'processing')
      .map(({ renewOrderNo }) => renewOrderNo),
    since: ctx.core.now().toISOString(),
  }
}

async function outcomeScreen(
  ctx: BotContext,
  actor: Actor,
  selection: Selection,
  done: NonNullable<Selection['done']>,
): Promise<Screen> {
  return selectionDoneScreen(viewOf(ctx), selection, done, await answersOf(ctx.core, actor, done))
}

/** The conversation of a selection: its buttons, and typed terms, addresses or notes. */
export const selecting: Question<{ readonly id: string }> = {
  name: SELECTING,
  presses: [SELECTION_STEPS.action],
  prompt: async (ctx, actor, { id }) => {
    const selection = await selectionDraft.read(ctx)
    return selection?.id === id ? screenOf(ctx, actor, selection) : ctx.homeScreen()
  },
  answer: async (ctx, actor, { id }, text) => {
    const selection = await selectionDraft.read(ctx)
    if (selection?.id !== id) return { screen: await ctx.homeScreen() }
    const { proxies } = await choiceOf(ctx, actor, selection)
    const chosen = proxies.filter((proxy) => selection.chosen.includes(proxy.id))
    const term = typedTerm(text, commonTerms(chosen.length > 0 ? chosen : proxies))
    if (term !== undefined) return { screen: await screenOf(ctx, actor, withTerm(selection, term)) }
    const named = await idsNamed(ctx, actor, selection, text)
    const found = proxies.map((proxy) => proxy.id).filter((each) => named.has(each))
    return found.length > 0
      ? { screen: await screenOf(ctx, actor, changedSelection(selection, { chosen: found })) }
      : { problem: ctx.texts.selection.notFound(text.slice(0, 40)) }
  },
}

/** Most proxies that typed text can name: one page of a search. */
const MOST_NAMED = 100

/** Returns the ids of the proxies that typed text names, in any of their formats or by their notes (rules 17.3). */
async function idsNamed(
  { core }: BotContext,
  actor: Actor,
  { userId }: Selection,
  search: string,
): Promise<ReadonlySet<number>> {
  if (searchLines(search) > SEARCH_LIMITS.lines) return new Set()
  const { items } = await core.orders.listProxies(actor, { userId, search, pageSize: MOST_NAMED })
  return new Set(items.map(({ id }) => id))
}

/** The note of all chosen proxies. */
export const whatNoteOfMany: Question<{ readonly id: string }> = {
  name: 'proxies.selection.note',
  prompt: async (ctx, _actor, { id }) => {
    const selection = await selectionDraft.read(ctx)
    return selection?.id === id ? noteOfManyScreen(viewOf(ctx), selection) : ctx.homeScreen()
  },
  answer: async (ctx, actor, { id }, note) => {
    if (note.length > MAX_NOTE) return { problem: ctx.texts.proxies.noteTooLong(MAX_NOTE) }
    const selection = await selectionDraft.read(ctx)
    if (selection?.id !== id) return { screen: await ctx.homeScreen() }
    const instances = numbersOf(selection, await choiceOf(ctx, actor, selection))
    if (instances.length > 0) {
      await ctx.core.orders.setProxyNote(actor, { instances, note })
      await ctx.notify(ctx.texts.proxies.noteSet)
    }
    return { screen: await screenOf(ctx, actor, selection) }
  },
}
