import type { PayoutWithOrigin } from '../../../core/earnings/payout.ts'
import { ServiceError } from '../../../core/errors.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { ask, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { usdt } from '../../kit/format.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { listAsLeft } from '../../session/list-as-left.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { html, type Html } from '../../texts/html.ts'
import {
  decidedPayoutScreen,
  decisionPrompt,
  PAYOUTS_PER_PAGE,
  payoutScreen,
  payoutsScreen,
} from './payout-screens.ts'

/** Payouts that agents request: the operator records that they were paid, or refuses them (rules 13.6). */
export function payoutsFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(OPERATOR.payouts, (ctx, { page }) => showPayouts(ctx, page))
  const onPayout = (
    action: typeof OPERATOR.payout,
    handle: (ctx: BotContext, payout: PayoutWithOrigin) => Promise<unknown>,
  ) =>
    feature.on(action, async (ctx, { payoutNo = '' }) => {
      const payout = await findOpen(ctx, payoutNo)
      if (payout) return handle(ctx, payout)
      await ctx.notify(ctx.texts.operator.payouts.gone, true)
      return showPayouts(ctx)
    })
  onPayout(OPERATOR.payout, (ctx, payout) => ctx.show(payoutScreen(viewOf(ctx), payout)))
  onPayout(OPERATOR.payPayout, (ctx, { payoutNo }) => ask(ctx, whichTransaction, { payoutNo }))
  onPayout(OPERATOR.refusePayout, (ctx, { payoutNo }) => ask(ctx, whyRefused, { payoutNo }))
  return feature
}

const payoutsAsLeft = listAsLeft('openPayoutsPage')

async function showPayouts(ctx: BotContext, page?: number): Promise<unknown> {
  const list = (number: number) =>
    ctx.core.operator.payouts.list({ status: 'requested', page: number, pageSize: PAYOUTS_PER_PAGE })
  return ctx.show(payoutsScreen(viewOf(ctx), await payoutsAsLeft(ctx, page, list)))
}

/** Finds a payout that waits for a decision; undefined when it is decided or unknown. */
async function findOpen({ core }: BotContext, payoutNo: string): Promise<PayoutWithOrigin | undefined> {
  const payout = await core.operator.payouts.find(payoutNo)
  return payout?.status === 'requested' ? payout : undefined
}

interface About {
  readonly payoutNo: string
}

/** Makes the question for a decision about a payout, which somebody else may decide meanwhile. */
function decision(
  name: string,
  words: 'askTxid' | 'whyNot',
  decide: (ctx: BotContext, payoutNo: string, text: string) => Promise<Html>,
): OperatorQuestion<About> {
  return {
    name,
    forOperator: true,
    prompt: async (ctx, _actor, { payoutNo }) => {
      const { payouts } = ctx.texts.operator
      const payout = await findOpen(ctx, payoutNo)
      return payout
        ? askedIn(ctx, decisionPrompt(viewOf(ctx), payout, payouts[words]))
        : decidedPayoutScreen(ctx.texts, html`${payouts.gone}`)
    },
    answer: async (ctx, _actor, { payoutNo }, text): Promise<Outcome> => {
      try {
        return { screen: decidedPayoutScreen(ctx.texts, await decide(ctx, payoutNo, text)) }
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'invalid_state') throw error
        return { screen: decidedPayoutScreen(ctx.texts, html`${ctx.texts.operator.payouts.gone}`) }
      }
    },
  }
}

/** The transaction by which a payout was paid. */
const whichTransaction = decision('payout.paid', 'askTxid', async (ctx, payoutNo, txid) => {
  const { username, usdtUnits } = await ctx.core.operator.payouts.paid(by(ctx), { payoutNo, txid })
  return ctx.texts.operator.payouts.paid(username, usdt(usdtUnits))
})

/** The reason of a refusal; the agent reads it. */
const whyRefused = decision('payout.refuse', 'whyNot', async (ctx, payoutNo, reason) => {
  const { username } = await ctx.core.operator.payouts.refuse(by(ctx), { payoutNo, reason })
  return ctx.texts.operator.payouts.refused(username)
})

export const payoutQuestions = [whichTransaction, whyRefused]
