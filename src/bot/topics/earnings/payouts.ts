import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import type { Payout } from '../../../core/earnings/payout.ts'
import type { PayoutTerms } from '../../../core/earnings/payout-terms.ts'
import { ServiceError } from '../../../core/errors.ts'
import { randomText } from '../../../core/ids.ts'
import { type Micros, toNumber } from '../../../core/money.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import { ask, nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { amount } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { listAsLeft } from '../../session/list-as-left.ts'
import { viewOf } from '../../session/view-of.ts'
import { typedAmount } from './handlers.ts'
import {
  addressPrompt,
  cancelPayoutScreen,
  confirmPayoutPrompt,
  payoutAmountPrompt,
  PAYOUTS_PER_PAGE,
  payoutScreen,
  payoutsScreen,
} from './payout-screens.ts'
import { withEarningsWords } from './problem.ts'

/** Lets an agent request the payout of its earnings in USDT, and follow its payouts (rules 13.6). */
export function payoutsFeature(): Feature {
  const feature = new Feature()
  feature.onMember(EARNINGS.askPayout, async (ctx, actor) => {
    requireAgent(actor)
    termsOf(ctx)
    await ask(ctx, whichAddress, {})
    return undefined
  })
  feature.onMember(EARNINGS.payouts, (ctx, actor, { page }) => payoutsFor(ctx, actor, page))
  const onPayout = (
    action: typeof EARNINGS.payout,
    screen: (ctx: BotContext, payout: Payout, actor: Actor) => Screen | Promise<Screen>,
  ) =>
    feature.onMember(
      action,
      async (ctx, actor, { payoutNo = '' }) =>
        screen(ctx, await ctx.core.earnings.getPayout(actor, payoutNo), actor),
      (ctx, actor) => payoutsFor(ctx, actor),
    )
  onPayout(EARNINGS.payout, (ctx, payout) => payoutScreen(viewOf(ctx), payout))
  onPayout(EARNINGS.askCancel, (ctx, payout) =>
    payout.status === 'requested'
      ? cancelPayoutScreen(viewOf(ctx), payout)
      : payoutScreen(viewOf(ctx), payout),
  )
  onPayout(EARNINGS.cancel, async (ctx, { payoutNo }, actor) =>
    payoutScreen(viewOf(ctx), await ctx.core.earnings.cancelPayout(actor, payoutNo)),
  )
  return feature
}

const payoutsAsLeft = listAsLeft('payoutsPage')

async function payoutsFor(ctx: BotContext, actor: Actor, page?: number): Promise<Screen> {
  const list = (number: number) =>
    ctx.core.earnings.listPayouts(actor, { page: number, pageSize: PAYOUTS_PER_PAGE })
  return payoutsScreen(viewOf(ctx), await payoutsAsLeft(ctx, page, list))
}

/** @throws unavailable where nothing is paid out */
function termsOf({ core }: BotContext): PayoutTerms {
  if (!core.earnings.payoutTerms) throw new ServiceError('unavailable')
  return core.earnings.payoutTerms
}

/** The address to pay to; that of the last payout is a button. */
const whichAddress: Question<object> = {
  name: 'earnings.payout.address',
  prompt: async (ctx, actor) => {
    const { items } = await ctx.core.earnings.listPayouts(actor, { pageSize: 1 })
    return addressPrompt(viewOf(ctx), items[0]?.address)
  },
  answer: (ctx, _actor, _state, text) => takeAddress(ctx, text),
  choose: (ctx, _actor, _state, choice) => takeAddress(ctx, choice),
}

function takeAddress(ctx: BotContext, address: string): Outcome {
  return termsOf(ctx).isAddress(address)
    ? nextQuestion(howMuch, { address })
    : { problem: ctx.texts.input.rules.not_a_tron_address }
}

interface Addressed {
  readonly address: string
}

const howMuch: Question<Addressed> = {
  name: 'earnings.payout.amount',
  prompt: async (ctx, actor) => {
    const { payable } = await ctx.core.earnings.ofAgent(actor)
    return payoutAmountPrompt(viewOf(ctx), payable, termsOf(ctx))
  },
  answer: takeAmount,
  choose: takeAmount,
}

async function takeAmount(
  ctx: BotContext,
  actor: Actor,
  { address }: Addressed,
  text: string,
): Promise<Outcome> {
  const { texts, core } = ctx
  const micros = typedAmount(text, ctx.core.currency)
  if (micros === undefined) return { problem: texts.input.rules.not_an_amount }
  const { min } = termsOf(ctx)
  if (micros < min) return { problem: texts.earnings.belowLeast(amount(min, core.currency)) }
  const missing = micros - (await core.earnings.ofAgent(actor)).payable
  if (missing > 0) return { problem: texts.earnings.payout.short(amount(missing, core.currency)) }
  return nextQuestion(confirmPayout, { address, micros, confirmationKey: randomText(10) })
}

interface Ready extends Addressed {
  readonly micros: Micros
  /** Idempotency key: tells a repeated press from another request. */
  readonly confirmationKey: string
}

/** The confirmation, by the button only. */
const confirmPayout: Question<Ready> = {
  name: 'earnings.payout.confirm',
  prompt: (ctx, _actor, { micros, address }) =>
    confirmPayoutPrompt(viewOf(ctx), micros, address, termsOf(ctx)),
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: (ctx, actor, { address, micros, confirmationKey }) =>
    withEarningsWords(ctx, async () => {
      const input = { amount: toNumber(micros), address, requestKey: `chat-${confirmationKey}` }
      const { payout } = await ctx.core.earnings.requestPayout(actor, input)
      return { screen: payoutScreen(viewOf(ctx), payout, ctx.texts.earnings.payout.asked) }
    }),
}

export const payoutQuestions = [whichAddress, howMuch, confirmPayout]
