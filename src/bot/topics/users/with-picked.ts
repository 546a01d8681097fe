import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import { AdjustmentInput } from '../../../core/accounts/adjust-balance.ts'
import { parseInput } from '../../../core/errors.ts'
import { randomText } from '../../../core/ids.ts'
import { type Micros, toNumber } from '../../../core/money.ts'
import { USERS } from '../../actions/users.ts'
import { ask, nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { signed } from '../../kit/format.ts'
import { amountIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { withProgress } from '../../session/with-progress.ts'
import { CHOICE } from './adjust-prompts.ts'
import { pickedIds, pickedScreen } from './picked.ts'
import {
  amountsPrompt,
  confirmAmountsPrompt,
  confirmStatusPrompt,
  paid,
  remarksPrompt,
  RENEWAL_DAYS,
  renewalsPrompt,
  renewedText,
} from './picked-screens.ts'

/** What an agent does with several sub-users at once: money, renewals, enabling and disabling. */
export function withPickedFeature(): Feature {
  const feature = new Feature()
  feature.onMember(USERS.adjustPicked, (ctx, actor) =>
    begin(ctx, actor, (userIds) => ask(ctx, howMuchEach, { userIds })),
  )
  feature.onMember(USERS.renewPicked, (ctx, actor, { days = 7 }) =>
    begin(ctx, actor, (userIds) =>
      ask(ctx, confirmRenewals, { userIds, days, confirmationKey: randomText(10) }),
    ),
  )
  feature.onMember(USERS.statusOfPicked, (ctx, actor, { status = 'active' }) =>
    begin(ctx, actor, (userIds) => ask(ctx, confirmStatus, { userIds, status })),
  )
  return feature
}

/** Asks about those that are picked; the list again when nobody is. */
async function begin(ctx: BotContext, actor: Actor, question: (userIds: number[]) => Promise<unknown>) {
  requireAgent(actor)
  const userIds = await pickedIds(ctx)
  if (userIds.length === 0) return pickedScreen(ctx, actor)
  await question(userIds)
  return undefined
}

interface Users {
  readonly userIds: readonly number[]
}

interface Change extends Users {
  /** Change of each balance. */
  readonly change: Micros
}

interface ReadyChange extends Change {
  readonly remark: string | null
  readonly confirmationKey: string
}

function plan(ctx: BotContext, actor: Actor, { userIds }: Users, change: Micros) {
  return ctx.core.accounts.planAdjustments(actor, { userIds: [...userIds], amount: toNumber(change) })
}

const howMuchEach: Question<Users> = {
  name: 'users.picked.amount',
  prompt: async (ctx, actor, state) => {
    const { balance } = await ctx.core.accounts.balance(actor)
    return amountsPrompt(viewOf(ctx), state.userIds.length, balance)
  },
  answer: async (ctx, actor, state, text) => {
    const change = amountIn(text, ctx.core.currency)
    if (!change) return { problem: ctx.texts.input.rules.not_an_amount }
    await plan(ctx, actor, state, change)
    return nextQuestion(whatForAll, { ...state, change })
  },
}

const whatForAll: Question<Change> = {
  name: 'users.picked.remark',
  prompt: (ctx, _actor, { userIds, change }) => remarksPrompt(viewOf(ctx), userIds.length, change),
  answer: (_ctx, _actor, state, text) => toConfirm(state, parseInput(AdjustmentInput.shape.remark, text)),
  choose: (_ctx, _actor, state) => toConfirm(state, null),
}

function toConfirm(state: Change, remark: string | null): Outcome {
  return nextQuestion(confirmAdjustments, { ...state, remark, confirmationKey: randomText(10) })
}

const confirmAdjustments: Question<ReadyChange> = {
  name: 'users.picked.confirm',
  prompt: async (ctx, actor, state) =>
    confirmAmountsPrompt(
      viewOf(ctx),
      await plan(ctx, actor, state, state.change),
      state.change,
      state.remark,
    ),
  answer: ({ texts }) => ({ problem: texts.users.pressButton }),
  choose: async (ctx, actor, { userIds, change, remark, confirmationKey }, choice) => {
    if (choice !== CHOICE.book) return { problem: ctx.texts.users.pressButton }
    const { users, total } = await ctx.core.accounts.adjustSubUsers(actor, {
      userIds: [...userIds],
      amount: toNumber(change),
      remark,
      requestKey: `chat-${confirmationKey}`,
    })
    const note = ctx.texts.users.picked.adjusted(users.length, signed(total, ctx.core.currency))
    return { screen: await pickedScreen(ctx, actor, note) }
  },
}

const confirmStatus: Question<Users & { readonly status: 'active' | 'disabled' }> = {
  name: 'users.picked.status',
  prompt: (ctx, _actor, { userIds, status }) => confirmStatusPrompt(viewOf(ctx), userIds.length, status),
  answer: ({ texts }) => ({ problem: texts.users.pressButton }),
  choose: async (ctx, actor, { userIds, status }, choice) => {
    if (choice !== CHOICE.book) return { problem: ctx.texts.users.pressButton }
    const count = await ctx.core.accounts.setSubUsersStatus(actor, { userIds: [...userIds], status })
    return { screen: await pickedScreen(ctx, actor, ctx.texts.users.picked.statusSet(count, status)) }
  },
}

interface Renewals extends Users {
  /** Days within which the proxies to renew expire. */
  readonly days: number
  readonly confirmationKey: string
}

const confirmRenewals: Question<Renewals> = {
  name: 'users.picked.renew',
  prompt: async (ctx, actor, { userIds, days }) =>
    renewalsPrompt(viewOf(ctx), days, await quoted(ctx, actor, userIds, days)),
  answer: ({ texts }) => ({ problem: texts.users.pressButton }),
  choose: async (ctx, actor, state, choice) => {
    const days = RENEWAL_DAYS.find((each) => String(each) === choice)
    if (days !== undefined) return nextQuestion(confirmRenewals, { ...state, days })
    const limit = paid(choice)
    if (limit === undefined) return { problem: ctx.texts.users.pressButton }
    const { userIds, confirmationKey } = state
    const wish = {
      userIds: [...userIds],
      withinDays: state.days,
      requestKey: confirmationKey,
      totalAmount: toNumber(limit),
    }
    const result = await withProgress(ctx, ctx.texts.users.picked.working, (tell) =>
      ctx.core.orders.renewForUsers(actor, wish, tell),
    )
    return { screen: await pickedScreen(ctx, actor, renewedText(viewOf(ctx), result)) }
  },
  working: ({ users }) => users.picked.working,
}

function quoted({ core }: BotContext, actor: Actor, userIds: readonly number[], withinDays: number) {
  return core.orders.quoteRenewalsOfUsers(actor, { userIds: [...userIds], withinDays })
}

export const withPickedQuestions = [
  howMuchEach,
  whatForAll,
  confirmAdjustments,
  confirmStatus,
  confirmRenewals,
]
