import type { Actor } from '../../../core/access/actor.ts'
import { AdjustmentInput } from '../../../core/accounts/adjust-balance.ts'
import { parseInput, ServiceError } from '../../../core/errors.ts'
import { randomText } from '../../../core/ids.ts'
import { fromNumber, type Micros, toNumber } from '../../../core/money.ts'
import { type ListPosition } from '../../actions/list-position.ts'
import { resumeButton } from '../../actions/top-ups.ts'
import { USERS } from '../../actions/users.ts'
import { ask, nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { signed } from '../../kit/format.ts'
import { amountIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { amountPrompt, CHOICE, confirmAdjustmentPrompt } from './adjust-prompts.ts'
import { onUserAction, userFor } from './handlers.ts'

/** What an agent gives a sub-user, or takes back: how much, what for, and both balances before it is booked. */
export function adjustUserFeature(): Feature {
  const feature = new Feature()
  onUserAction(feature, USERS.adjust, (ctx, actor, id, position, { missing }) =>
    askHowMuch(ctx, actor, id, position, missing),
  )
  onUserAction(feature, USERS.give, async (ctx, actor, id, position, { change = 0 }) => {
    const user = await ctx.core.accounts.getSubUser(actor, id)
    const about = { id: user.id, position }
    if (change === 0) return userFor(ctx, actor, id, position)
    await ctx.core.accounts.planAdjustment(actor, user.id, change)
    await ask(ctx, confirmAdjustment, readyChange({ ...about, change }))
    return undefined
  })
  return feature
}

/** Whose balance is changed, and why. */
interface Adjusted {
  readonly id: number
  /** Position in the list of sub-users that Back leads to. */
  readonly position: ListPosition
  /** What a purchase of the sub-user lacks. */
  readonly missing?: Micros
  /** Callback data that leads back to that purchase. */
  readonly resume?: string
}

/** A change of a balance that is being prepared. */
interface Change extends Adjusted {
  /** Positive adds, negative deducts. */
  readonly change: Micros
}

interface ReadyChange extends Change {
  /** Null when the agent has written none. */
  readonly remark: string | null
  /** Idempotency key: a repeated last press books once. */
  readonly confirmationKey: string
}

/** Returns callback data of the purchase for which the balance is changed; without one, of the sub-user. */
function backTo({ id, position, resume }: Adjusted): string {
  return resume ?? USERS.view.data({ id, position })
}

/** @param missing what a purchase lacks */
async function askHowMuch(
  ctx: BotContext,
  actor: Actor,
  id: number | undefined,
  position: ListPosition,
  missing: Micros | undefined,
): Promise<undefined> {
  const user = await ctx.core.accounts.getSubUser(actor, id)
  const { resume, resumeFor } = missing ? await ctx.core.chats.readDraft(ctx.session.chatId) : {}
  // An old button may be about somebody else than the purchase that waits now.
  const goesOn = resume !== undefined && resumeFor === user.id && { resume }
  await ask(ctx, howMuch, { id: user.id, position, ...(missing && { missing }), ...goesOn })
}

const howMuch: Question<Adjusted> = {
  name: 'users.adjust.amount',
  prompt: async (ctx, actor, state) => {
    const { id, missing } = state
    const plan = await ctx.core.accounts.planAdjustment(actor, id, 0)
    const lack = missing === undefined ? undefined : { missing, own: await agentShortfall(ctx, actor, state) }
    return amountPrompt(viewOf(ctx), plan, lack, backTo(state))
  },
  answer: takeAmount,
  choose: takeAmount,
}

/** Returns what the agent's own balance lacks to cover the purchase; undefined when it suffices, or when no purchase waits. */
async function agentShortfall(
  ctx: BotContext,
  actor: Actor,
  { id, missing, resume }: Adjusted,
): Promise<Micros | undefined> {
  if (missing === undefined || resume === undefined) return undefined
  try {
    await ctx.core.accounts.planAdjustment(actor, id, missing)
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'insufficient_balance') throw error
    return fromNumber(Number(error.data?.['shortfall']))
  }
}

async function takeAmount(ctx: BotContext, actor: Actor, about: Adjusted, text: string): Promise<Outcome> {
  const change = amountIn(text, ctx.core.currency)
  if (!change) return { problem: ctx.texts.input.rules.not_an_amount }
  await ctx.core.accounts.planAdjustment(actor, about.id, change)
  return adjusting({ ...about, change })
}

/** The question whether the balance is changed; nothing is booked before its button is pressed. */
export function adjusting(change: Change, remark: string | null = null) {
  return nextQuestion(confirmAdjustment, readyChange(change, remark))
}

/** @param remark null without one */
function readyChange(change: Change, remark: string | null = null): ReadyChange {
  return { ...change, remark, confirmationKey: randomText(10) }
}

/** The confirmation, by the button; what is typed is the remark. */
const confirmAdjustment: Question<ReadyChange> = {
  name: 'users.adjust.confirm',
  prompt: async (ctx, actor, state) =>
    confirmAdjustmentPrompt(
      viewOf(ctx),
      await ctx.core.accounts.planAdjustment(actor, state.id, state.change),
      state,
      backTo(state),
    ),
  answer: (_ctx, _actor, state, text) =>
    nextQuestion(confirmAdjustment, readyChange(state, parseInput(AdjustmentInput.shape.remark, text))),
  choose: async (ctx, actor, { id, position, change, remark, confirmationKey, resume = null }, choice) => {
    if (choice !== CHOICE.book) return { problem: ctx.texts.users.pressButton }
    const requestKey = `chat-${confirmationKey}`
    await ctx.core.accounts.adjustSubUserBalance(actor, id, { amount: toNumber(change), remark, requestKey })
    const note = ctx.texts.users.adjust.done(signed(change, ctx.core.currency))
    const { text, buttons } = await userFor(ctx, actor, id, position, note)
    return { screen: { text, buttons: [resumeButton(ctx, { reference: resume }), ...buttons] } }
  },
}

export const adjustQuestions = [howMuch, confirmAdjustment]
