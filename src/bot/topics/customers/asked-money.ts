import type { AnsweredRequest } from '../../../core/accounts/answer-request.ts'
import { ServiceError } from '../../../core/errors.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { amount } from '../../kit/format.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { customerScreenFor, orGone } from './pages.ts'

/** Lets the operator answer a request for money by one press; a second press changes nothing and shows the outcome (rules 2.23). */
export function askedMoneyFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(CUSTOMERS.giveAsked, (ctx, { id }) =>
    answered(ctx, () => ctx.core.operator.askedMoney.give(by(ctx), id)),
  )
  feature.on(CUSTOMERS.declineAsked, (ctx, { id }) =>
    answered(ctx, () => ctx.core.operator.askedMoney.decline(by(ctx), id)),
  )
  return feature
}

/** Answers a request and shows the page of the customer, below the outcome. */
function answered(ctx: BotContext, answer: () => Promise<AnsweredRequest>): Promise<unknown> {
  return orGone(ctx, async () => {
    const { askedMoney } = ctx.texts.operator
    try {
      const { userId, username, status, changed, ...asked } = await answer()
      const words = changed && status !== 'over' ? askedMoney.done[status] : askedMoney.before[status]
      const note = words(username, amount(asked.amount, ctx.core.currency))
      return await ctx.show(await customerScreenFor(ctx, userId, note))
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'account_disabled') throw error
      return ctx.notify(askedMoney.disabled, true)
    }
  })
}
